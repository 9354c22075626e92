"""The ladder of one request under a policy of pools: each rung's size, and what each pool took."""

from curriculum.context.manifest import Manifest

from .screen import Screen, fact


def show_ladder(screen: Screen, manifest: Manifest) -> None:
    """Print the rungs that were tried, and how the pools shared the room; nothing without pools."""
    if not manifest.rungs:
        return
    if manifest.mode is not None and manifest.smaller is not None:
        why = manifest.smaller
        fact(screen, "mode", f"{manifest.mode}: {why.needed} > {why.allowed} in the ordinary one")
    sent = manifest.rungs[-1]
    tried = [f"{rung.name} {rung.size}" for rung in manifest.rungs]
    if manifest.packing is None:
        fact(screen, "ladder", f"{', '.join(tried)}: at rung {sent.name} the whole log fits")
        return
    fact(screen, "ladder", f"{', '.join(tried)}: no rung is enough, so the pools share the room")
    if manifest.target is not None:
        kept = f"down to {manifest.target}, so that the same records stay out as the log grows"
        fact(screen, "target", kept)
    for use in manifest.pools:
        room = f"{use.used} of {use.room} used"
        stop = f"; {use.stopped} needs {use.needs}" if use.stopped is not None else ""
        fact(screen, use.pool, f"{room}{stop} ({manifest.packing})")
