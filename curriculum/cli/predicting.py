"""One prediction at a terminal: asked, written down, run, graded, asked again under the rule."""

from collections.abc import Mapping
from functools import partial

from curriculum.course.answers import answer_of, confidence_of, spelled
from curriculum.course.exercise import Exercise
from curriculum.course.feedback import (
    again_said,
    asked,
    first_said,
    graded,
    later_said,
    question_again,
    result_of,
)
from curriculum.course.grading import Grade
from curriculum.course.misconceptions import Suspect
from curriculum.course.prediction import Prediction, close_prediction, write_prediction
from curriculum.course.result import Finding, Result, Verdict
from curriculum.course.scenes import Scene
from curriculum.course.slots import Value
from curriculum.course.variants import variants_of
from curriculum.view.prediction import question, show_event, show_task, show_title
from curriculum.view.result import show_finding, show_result
from curriculum.view.screen import Screen

from .conversation import Conversation
from .learner import Learner

SURE = "How sure are you?  1 guess  2 fairly  3 sure"


class Predicting:
    """Predictions of one exercise, one after the other, until the learner has enough."""

    def __init__(self, screen: Screen, exercise: Exercise, learner: Learner) -> None:
        self.screen, self.exercise, self.learner = screen, exercise, learner
        self.talk = Conversation(screen)
        self.hints = 0

    def until_done(self) -> Result:
        """One prediction after another; the result of the last one."""
        while True:
            scene = self.learner.scene(self.exercise)
            result, grade = self.once(scene)
            if not self._more(scene, result, grade):
                return result

    def once(self, scene: Scene) -> tuple[Result, Grade | None]:
        """Ask, write down, run, say."""
        show_title(self.screen, self.exercise, len(self.exercise.slots))
        show_task(self.screen, scene, self.learner.known(scene))
        given, sure = self.answers(scene)
        while True:
            self.screen.line("Nothing has been run yet.")
            if self.talk.choose("ENTER writes it down and runs, e edits > ", "e", "r") == "r":
                break
            given, sure = self.answers(scene)
        written = write_prediction(self.learner.folder, scene, given, sure)
        self.screen.line(
            f"Written down before the run: {self.learner.show(written.path)}", indent=2
        )
        return self.graded(scene, given, written)

    def answers(self, scene: Scene) -> tuple[dict[str, Value], int]:
        """The answers to all questions, and how sure the learner is."""
        given = {
            slot.key: self.talk.ask(question(scene, number), partial(answer_of, slot))
            for number, slot in enumerate(self.exercise.slots)
        }
        return given, self.talk.ask(f"{SURE:<58} > ", confidence_of)

    def graded(
        self, scene: Scene, given: Mapping[str, Value], written: Prediction
    ) -> tuple[Result, Grade | None]:
        """Run it, and say what came of it."""
        made = graded(scene, given)
        if isinstance(made, Result):
            show_result(self.screen, made)
            close_prediction(written, made, {})
            return made, None
        said = first_said(made)
        # Whoever leaves in the middle has seen the run all the same.
        close_prediction(written, result_of(made, said, {}), {})
        for finding in said:
            show_finding(self.screen, finding)
        more: dict[str, str] = {}
        if made.suspects:
            picture, words = self._picture(made)
            more["picture"] = picture
            said.append(words)
            show_finding(self.screen, words)
        for finding in (later := later_said(made)):
            show_finding(self.screen, finding)
        said += later
        again: dict[int, Value] = {}
        for number in made.again:
            slot = self.exercise.slots[number]
            prompt = question(scene, number, question_again(number, slot).text)
            again[number] = self.talk.ask(prompt, partial(answer_of, slot))
            more[f"again {slot.key}"] = spelled(again[number])
            said.append(again_said(scene, made, number, again[number]))
            show_finding(self.screen, said[-1])
        result = result_of(made, said, again, "curriculum next" if made.passed else "")
        show_result(self.screen, result, len(said))
        close_prediction(written, result, more)
        self.learner.note(self.exercise, result)
        return result, made

    def _picture(self, made: Grade) -> tuple[str, Finding]:
        """Ask whether a wrong harness was the learner's picture."""
        for finding in asked(made.suspects):
            show_finding(self.screen, finding)
        suspects = list(made.suspects)
        assert made.first is not None
        run = spelled(made.marks[made.first].run)
        chosen = self.talk.choose(*_choices(suspects))
        if chosen in ("n", "o"):
            known = {
                "n": ("counted", Finding("predict.counted")),
                "o": ("other", Finding("predict.other", {"run": run})),
            }
            return known[chosen]
        wrong = suspects[0 if chosen == "y" else int(chosen) - 1].wrong
        return wrong.harness, Finding("predict.picture", {"text": wrong.yes})

    def _more(self, scene: Scene, result: Result, made: Grade | None) -> bool:
        """What the learner wants now; whether that is another prediction."""
        seq = made.why.seq if made is not None and made.why is not None else 0
        new = "new numbers" if len(variants_of(self.exercise)) > 1 else "once more"
        passed = result.verdict is Verdict.PASS
        words = f"ENTER {new}" if passed else f"ENTER same question, {new}"
        menu = f"{words}   h hint{'   p play event' if seq else ''}   q stop > "
        letters = "hpq" if seq else "hq"
        while True:
            chosen = self.talk.choose(menu, letters, "+")
            if chosen in ("+", "q"):
                return chosen == "+"
            if chosen == "p":
                show_event(self.screen, scene, seq)
            else:
                self.hints = self.learner.hint(self.exercise, self.hints)
                hint = self.exercise.hints[self.hints - 1]
                self.screen.line(f"hint {self.hints} of 3: {hint}", indent=2)


def _choices(suspects: list[Suspect]) -> tuple[str, str]:
    """The prompt for one picture or several, and the letters that answer it."""
    if len(suspects) == 1:
        return f"  y {suspects[0].wrong.yes}   n I miscounted   o other > ", "yno"
    numbered = "   ".join(f"{n} {one.wrong.yes}" for n, one in enumerate(suspects, 1))
    digits = "".join(str(n) for n in range(1, len(suspects) + 1))
    return f"  {numbered}   n I miscounted   o other > ", f"{digits}no"
