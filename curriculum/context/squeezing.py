"""An exchange that must be sent, with its results cut to the room that there is for them."""

from functools import partial

from curriculum.count.counters import utf8
from curriculum.record.cut import Cut
from curriculum.record.records import record_id

from .forms import Form
from .ledger import Entry
from .plan import Plan, Row
from .share import share


def squeeze(plan: Plan, entry: Entry, form: Form, least: Form, spare: int) -> int:
    """Send the exchange with `spare` more than it takes at `least`; return what it takes.

    Room is shared by water-filling; what is protected stays whole. `form` is what each result
    would be sent as if there were room.
    """
    index = plan.index
    cuts = {at: one.cut for at, one in form.reduced.items()}
    bare = {at: one.cut for at, one in least.reduced.items()}
    members = entry.group.members
    full = [index.size(at, index.item(at, cuts.get(at))) for at in members]
    floors = [
        min(size, index.size(at, index.item(at, bare.get(at))))
        for at, size in zip(members, full, strict=True)
    ]
    shares = share(sum(floors) + spare, floors, full)
    assert shares is not None
    items: list[str] = []
    for at, size, part in zip(members, full, shares, strict=True):
        if size <= part:
            cut, reason, more = cuts.get(at), "beside-cut", dict[str, int | str]()
            decision = "admitted"
            if cut is not None:
                reason, because = form.reduced[at].reason, form.reduced[at].because
                decision = "cut" if reason == "stepped" else "replaced"
                more = _ends(cut)
                more |= {} if because is None else {"because": record_id(because + 1)}
        else:
            cut = index.records[at].whole().fit(part, partial(_size, plan, at))
            assert cut is not None  # the share is at least the marker's size
            # Some wires can send no blank end, so that it is missing too.
            cut = index.wire.heard(index.message(at, cut)).cut or cut
            decision, reason = "cut", "cut-to-room"
            more = {"limit": plan.ceiling, "share": part, "full": size} | _ends(cut)
        items.append(index.item(at, cut))
        if cut is not None:
            plan.cuts[at] = cut
        if decision == "admitted":
            reason = entry.protected.get(at, reason)
        own = index.size(at, items[-1]), utf8(items[-1])
        plan.rows.append(Row(at, at, decision, reason, *own, more or None))
    spelled = index.spell(members, items)
    plan.sent[members[0]] = spelled
    plan.places -= len(members)
    return spelled.spent


def _ends(cut: Cut) -> dict[str, int | str]:
    return {"head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing}


def _size(plan: Plan, at: int, cut: Cut) -> int:
    """What a result takes with this cut; one that misses nothing is sent whole."""
    index = plan.index
    return index.size(at, index.item(at, cut if cut.missing else None))
