"""Predictions as their author left them: every variant, every strategy, every wrong harness."""

from collections.abc import Mapping
from itertools import combinations

from curriculum.trace.events import Stop

from .answers import spelled
from .authoring import Desk
from .exercise import Answer, Exercise, Slot, Wrong
from .feedback import asked
from .grading import grade, marked
from .misconceptions import answers_under
from .scenes import Scene, same
from .slots import Value
from .strategies import moves, strategies
from .variants import spelled as spelled_variant
from .variants import variants_of

Answers = Mapping[str, Value]


def check_prediction(desk: Desk, exercise: Exercise) -> None:
    """Check one exercise of kind predict or number."""
    scenes = [Scene(exercise, variant) for variant in variants_of(exercise)]
    names = [spelled_variant(scene.variant) for scene in scenes]
    for name in sorted({name for name in names if names.count(name) > 1}):
        desk.refuse(
            "variant-twice",
            exercise.id,
            f"Two variants are {name}.",
            do="change one of them, or take it out",
        )
    readable = [scene for scene in scenes if _readable(desk, scene)]
    for scene in readable:
        _right(desk, scene)
        _strategies(desk, scene)
        _limits(desk, scene)
    _alike(desk, readable)
    _wrong(desk, exercise, readable)


def _readable(desk: Desk, scene: Scene) -> bool:
    """Whether the run answers every question, each with a value of its type."""
    before = len(desk.refusals)
    desk.looked("variants")
    with desk.trouble("predict-run", _place(scene), "mend `case`, `then`, `read` or the limits"):
        for key, value in scene.answers().items():
            desk.looked("questions")
            slot = next(slot for slot in scene.exercise.slots if slot.key == key)
            desk.refuse_unless(
                _fits(slot, value),
                "predict-type",
                _place(scene),
                f"{key} is asked for as {slot.type}, and the run answers {spelled(value)}.",
                f"it is read at {slot.read!r}",
                do="mend `type`, `choices` or `read`",
            )
    return len(desk.refusals) == before


def _fits(slot: Slot, value: Value) -> bool:
    match slot.type:
        case Answer.NUMBER:
            return type(value) is int
        case Answer.YES_NO:
            return type(value) is bool
        case Answer.STOP:
            return value in [str(stop) for stop in Stop]
        case Answer.CHOICE:
            return value in slot.choices


def _right(desk: Desk, scene: Scene) -> None:
    """The right answers pass."""
    desk.looked("right answers")
    answers = scene.answers()
    desk.refuse_unless(
        grade(scene, answers).passed,
        "predict-right",
        _place(scene),
        "The answers of the run itself do not pass.",
        _listed(answers),
        do="mend `read` or `forces`",
    )


def _strategies(desk: Desk, scene: Scene) -> None:
    """No constant strategy passes."""
    for strategy in strategies(scene):
        desk.looked("constant strategies")
        with desk.trouble("predict-run", _place(scene), "mend `forces` or `read`"):
            desk.refuse_unless(
                not all(mark.right for mark in marked(scene, strategy.answers)),
                "predict-constant",
                _place(scene),
                f"Whoever says '{strategy.name}' passes without a look at the run.",
                _listed(strategy.answers),
                do="ask for one thing that stays and one that changes, or take another number",
            )


def _limits(desk: Desk, scene: Scene) -> None:
    """Each limit of a variant is another one than in the run that was seen."""
    for name, value in scene.variant.items():
        desk.looked("limits of variants")
        desk.refuse_unless(
            scene.before.start.budget.get(name) != value,
            "variant-nothing",
            _place(scene),
            f"{name} is {value} in the run that was seen, too.",
            do="take another number",
        )


def _alike(desk: Desk, scenes: list[Scene]) -> None:
    """All variants have as many changed questions, and the same words for what is no number."""
    if not scenes:
        return
    first, *others = scenes
    changed, words = moves(first), _words(first)
    desk.looked("sets of variants")
    for scene in others:
        desk.looked("comparisons of variants", 2)
        its = moves(scene)
        desk.refuse_unless(
            len(its) == len(changed),
            "variant-changed",
            _place(scene),
            f"{len(its)} answers change here, and {len(changed)} with "
            f"{spelled_variant(first.variant)}.",
            f"here: {', '.join(its) or 'none'}",
            f"there: {', '.join(changed) or 'none'}",
            do="take a number on the same side of the limit",
        )
        desk.refuse_unless(
            _words(scene) == words,
            "variant-flip",
            _place(scene),
            "An answer that is no number is another one than with "
            f"{spelled_variant(first.variant)}.",
            f"here: {_listed(_words(scene))}",
            f"there: {_listed(words)}",
            do="take a number on the same side of the limit",
        )


def _words(scene: Scene) -> dict[str, Value]:
    return {key: value for key, value in scene.answers().items() if type(value) is not int}


def _wrong(desk: Desk, exercise: Exercise, scenes: list[Scene]) -> None:
    """Each wrong harness answers otherwise and draws its message; two are told apart."""
    desk.refuse_unless(
        bool(exercise.wrong),
        "wrong-none",
        exercise.id,
        "No wrong harness stands for a misconception here.",
        do="name one in a [[wrong]]",
    )
    answers: dict[str, list[Answers]] = {}
    for wrong in exercise.wrong:
        desk.looked("wrong harnesses")
        where = f"{exercise.id}, {wrong.harness}"
        with desk.trouble("wrong-harness-raised", where, "mend it in solutions/wrong.py"):
            answers[wrong.harness] = [_under(desk, scene, wrong) for scene in scenes]
    for one, other in combinations(exercise.wrong, 2):
        where = f"{exercise.id}, {one.harness} and {other.harness}"
        desk.looked("pairs of wrong harnesses")
        desk.refuse_unless(
            (one.asks, one.yes) != (other.asks, other.yes) and one.yes != other.yes,
            "wrong-same-words",
            where,
            "Two wrong harnesses ask or answer with the same words.",
            one.yes,
            do="say in `asks` and `yes` which picture each stands for",
        )
        if not (one.harness in answers and other.harness in answers):
            continue
        pairs = zip(answers[one.harness], answers[other.harness], strict=True)
        desk.refuse_unless(
            any(_differ(a, b) for a, b in pairs),
            "wrong-not-apart",
            where,
            "No variant tells these two wrong harnesses apart.",
            *(_listed(its) for its in answers[one.harness][:1]),
            do="ask one question more, or add a variant in which they part",
        )


def _under(desk: Desk, scene: Scene, wrong: Wrong) -> Answers:
    """What a wrong harness answers; that it differs, and that its message is drawn."""
    where = f"{_place(scene)}, {wrong.harness}"
    right, its = scene.answers(), answers_under(scene, wrong)
    desk.looked("runs of wrong harnesses")
    if not desk.refuse_unless(
        bool(its),
        "wrong-silent",
        where,
        "The wrong harness answers no question: its run cannot be made, or holds nothing asked.",
        do="run it by hand, and mend it in solutions/wrong.py",
    ):
        return its
    if not desk.refuse_unless(
        any(not same(value, right[key]) for key, value in its.items()),
        "wrong-no-difference",
        where,
        "The wrong harness answers as the reference does.",
        _listed(its),
        do="take another number, or another question",
    ):
        return its
    made = grade(scene, {**right, **its})
    drawn = [suspect.wrong.harness for suspect in made.suspects]
    said = [finding.text for finding in asked(made.suspects)]
    desk.looked("messages of wrong harnesses")
    desk.refuse_unless(
        wrong.harness in drawn and len(set(said)) == len(said),
        "wrong-no-message",
        where,
        "Whoever answers as this harness does is not asked about it.",
        f"asked about: {', '.join(drawn) or 'none'}",
        do="the first answer that differs must be the harness's own",
    )
    return its


def _differ(one: Answers, other: Answers) -> bool:
    return any(not same(one.get(key), other.get(key)) for key in {*one, *other})


def _place(scene: Scene) -> str:
    if not scene.variant:
        return scene.exercise.id
    return f"{scene.exercise.id}, {spelled_variant(scene.variant)}"


def _listed(answers: Answers) -> str:
    return ", ".join(f"{key} = {spelled(value)}" for key, value in answers.items()) or "nothing"
