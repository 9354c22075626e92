"""Groups as they are sent: the rows of the table that say so, neighbours alike in one."""

from collections.abc import Iterable

from curriculum.count.counters import utf8
from curriculum.record.records import record_id

from .forms import Form, Reduced
from .ledger import Entry, Ledger
from .ordering import OrderedPlan
from .plan import Row


def send_all(plan: OrderedPlan, entries: Iterable[Entry], rung: int, reason: str) -> None:
    """Send groups, in log order, in their forms of a rung; `reason` is that of what is whole.

    This runs once for each group that is sent, so it only adds up: groups that stand side by side
    in the log, and of which the same is said, share one row.
    """
    rows, sent, places, forms = plan.rows, plan.sent, plan.places, plan.forms
    first = last = -1
    size = byte = 0
    alike: str | None = None
    for entry in entries:
        form = entry.forms[rung]
        one = form.spelled
        if form.alike is None or entry.protected:
            places -= send(plan, entry, form, reason)
            continue
        at = one.members[0]
        sent[at] = one
        places -= form.messages
        if form.alike:
            forms.append(form)
        if at == last and form.alike == alike:
            size += one.size
            byte += one.bytes
        else:
            if alike is not None:
                rows.append(_run(first, last, alike, reason, size, byte))
            first, size, byte, alike = at, one.size, one.bytes, form.alike
        last = one.end
    if alike is not None:
        rows.append(_run(first, last, alike, reason, size, byte))
    plan.places = places


def _run(first: int, end: int, alike: str, reason: str, size: int, byte: int) -> Row:
    """The row of neighbours that are whole, or of which all results are their markers."""
    if not alike:
        return Row(first, end - 1, "admitted", reason, size, byte)
    return Row(first, end - 1, "replaced", alike, size, byte, {"beside": reason})


def drop_all(plan: OrderedPlan, ledger: Ledger, rung: int) -> None:
    """Leave out what a rung has dropped: what was evicted in runs, the rest one by one."""
    for first, end in ledger.evicted[rung].all():
        plan.rows.append(Row(first, end - 1, "omitted", "evicted"))
    for first in ledger.named[rung]:
        entry = ledger.entries[first]
        dropped = entry.forms[rung].dropped
        assert dropped is not None
        more = None if dropped[1] is None else {"because": record_id(dropped[1] + 1)}
        members = entry.group.members
        plan.rows += [Row(at, at, "omitted", dropped[0], more=more) for at in members]


def send(plan: OrderedPlan, entry: Entry, form: Form, reason: str) -> int:
    """Send one group, a row for each member; return how many messages it is."""
    for at in form.spelled.members:
        _row(plan, entry, at, form.reduced.get(at), reason)
    plan.sent[form.spelled.members[0]] = form.spelled
    return form.messages


def _row(plan: OrderedPlan, entry: Entry, at: int, reduced: Reduced | None, reason: str) -> None:
    item = reduced.item if reduced else plan.index.item(at)
    own = reduced.size if reduced else plan.index.size(at, item), utf8(item)
    if reduced is None:
        plan.rows.append(Row(at, at, "admitted", entry.protected.get(at, reason), *own))
        return
    cut = plan.cuts[at] = reduced.cut
    more: dict[str, int | str] = {
        "head": len(cut.head), "tail": len(cut.tail), "missing": cut.missing
    }  # fmt: skip
    if reduced.because is not None:
        more["because"] = record_id(reduced.because + 1)
    decision = "cut" if reduced.reason == "stepped" else "replaced"
    plan.rows.append(Row(at, at, decision, reduced.reason, *own, more))
