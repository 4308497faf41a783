"""Which changes would reach further than their key path says, through aliases, merges and anchors;
and their refusals.
"""

from collections.abc import Sequence

from polar_config._editing.paths import MAX_LISTED
from polar_config._editing.walk import Index, Step, Walker
from polar_config._yaml.lookup import aliases, anchored, own_keys
from polar_config._yaml.tree import AliasEntry, Entry, real
from polar_config.errors import TopologyError, refused
from polar_config.errors._words import KeyPath, inline, path_text


class Sharing(Walker):
    """Finds who shares what in one tree; `shared` allows changes that reach everyone who shares a
    mapping.

    In a copy no anchor is left, and none is missed: `copying` allows their removal.
    """

    def __init__(self, index: Index, *, shared: bool, copying: bool = False) -> None:
        super().__init__(index)
        self.shared = shared
        self.copying = copying
        self.touches_shared = False
        """Whether something is about to change that has, or had, an anchor or an alias in it."""
        self.reads_shared = False
        """Whether the plan depends on what an alias stands for."""

    def refuse_reaching_further(self, step: Step, path: KeyPath) -> None:
        """Refuse a change at `path`, in the mapping or list at `step`, that others would see."""
        for each in step.upward():
            if isinstance(each.value, AliasEntry):
                raise self._through_alias(path, each, each.value.target)
            if each.merge is not None:
                raise self._through_merge(path, each, real(each.merge))
        for each in step.upward():
            below = path[len(each.path) : len(each.path) + 1]
            self.refuse_shared(each.value, each.path, *below)

    def _through_alias(self, path: KeyPath, at: Step, target: Entry) -> TopologyError:
        return self._through("an alias of", path, at, (target, path[len(at.path) :]))

    def _through_merge(self, path: KeyPath, at: Step, target: Entry) -> TopologyError:
        return self._through("<< from", path, at, (target, path[len(at.path) - 1 :]))

    def _through(
        self, how: str, path: KeyPath, at: Step, source: tuple[Entry, KeyPath]
    ) -> TopologyError:
        target, rest = source
        origin = self.index.path_of(target)
        message = f"this value comes through {how} {path_text(origin) or 'the topology'}"
        instead = path_text((*origin, *rest))
        hint = f"change {instead} with shared=True, or set all of {path_text(at.path)} here"
        return refused("shared", message, path, hint)

    def refuse_shared(self, entry: Entry, path: KeyPath, *name: str | int) -> None:
        """Refuse if others share `entry`, unless only the key `name` changes and they have it
        themselves.
        """
        if isinstance(entry, AliasEntry) or entry.anchor is None:
            return
        self.touches_shared = True
        if self.shared:
            return
        others = [
            use.path
            for use in self.index.uses().get(id(entry), ())
            if not (use.merging and name and name[0] in own_keys(use.merging))
        ]
        if others:
            message = (
                f"this value is shared with {_listed(others)}"
                f" through the anchor &{inline(entry.anchor)}"
            )
            hint = "pass shared=True to change all of them, or override the key in each of them"
            raise refused("shared", message, path, hint)

    def refuse_losing_anchors(
        self, *gone: Entry, path: KeyPath, replaced: Entry | None = None
    ) -> None:
        """Refuse to remove entries with an anchor that is in use elsewhere; that of `replaced`
        stays.
        """
        for entry in gone:
            own = list(aliases(entry))
            for each in anchored(entry):
                self.touches_shared = True
                others = [use.path for use in self.index.uses().get(id(each), ())]
                inside = sum(alias.target is each for alias in own)
                if not self.copying and each is not replaced and len(others) > inside:
                    message = f"the anchor &{inline(str(each.anchor))} in it is used by"
                    hint = "change those first"
                    raise refused("anchor-in-use", f"{message} {_listed(others)}", path, hint)
            self.touches_shared = self.touches_shared or bool(own)


def _listed(paths: Sequence[KeyPath]) -> str:
    more = f" and {len(paths) - MAX_LISTED} more" if len(paths) > MAX_LISTED else ""
    return ", ".join(path_text(each) or "the topology" for each in paths[:MAX_LISTED]) + more
