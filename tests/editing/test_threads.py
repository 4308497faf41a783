"""One document, several threads."""

import threading

from polar_config import TopologyDocument


def test_threads_that_edit_one_document_lose_nothing() -> None:
    document = TopologyDocument.parse("a: 1\n")

    def work(name: int) -> None:
        for number in range(20):
            document.set(f"k{name}_{number}", number)

    threads = [threading.Thread(target=work, args=[name]) for name in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(document.get(())) == 81
