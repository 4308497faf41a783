"""How the tests run: properties have no deadline, for machines differ; what a failing one needs to be repeated is printed."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "polar",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("polar")

collect_ignore_glob = ["benchmarks/*.py"]  # run by hand, with libraries that the tests do without
