"""Random questions."""

from __future__ import annotations

from dataclasses import replace

from research.grammar import lexicon
from research.grammar.complex_sentences import ComplexSentenceSampler
from research.grammar.lexicon import Verb
from research.grammar.phrases import settled
from research.grammar.selection import verbs_for, verbs_with
from research.grammar.statements import STATES
from research.grammar.syntax import (
    HE,
    WE,
    YOU,
    AdjectivalPredicate,
    Clause,
    I,
    Nominal,
    Question,
)

_MOVES = ("go", "run", "travel", "fly", "drive")
_WAYS = ("open", "repair", "solve", "translate", "cook", "explain")
# Of which one knows beforehand when it will happen: 'When are you moving?'
_SCHEDULED = frozenset(
    {"arrive", "come back", "get married", "move", "move in", "leave", "begin", "start", "end"}
)


class QuestionSampler(ComplexSentenceSampler):
    """Draws yes-no questions and questions with a w-word."""

    def asked_about(self) -> Nominal:
        """Whom one asks about: nobody asks what he does himself."""
        if self.chance(0.4):
            return YOU
        subject = self.person(0.5, 0.3)
        while subject in (I, WE, YOU):
            subject = self.person(0.5, 0.3)
        return subject

    def yes_no(self) -> Question:
        """A yes-no question."""
        draw = self.rng.random()
        if draw < 0.2:
            return Question(self.copula(self.described_thing()))
        if draw < 0.4:
            return Question(self._asked_modal())
        clause = self._asked_clause()
        if self.chance(0.25):
            clause = self.with_adverb(clause)
        elif self.chance(0.12):
            clause = self.negate(clause)
        return Question(clause)

    def _asked_modal(self) -> Clause:
        """'Can you swim?', 'Must I wait?', but not 'Did I want to wait?'

        Nor 'Should I wait?', which is 'Soll ich?' beside 'Sollte er?', and 'Could you wait?' is
        'Könntest du?', too.
        """
        subject = self.pick((I, WE, self.asked_about(), self.asked_about()))
        clause = self.modal_clause(subject)
        unasked = ("want", "should")
        while subject in (I, WE) and (clause.tense == "past" or clause.modal in unasked):
            clause = self.modal_clause(subject)
        return replace(clause, tense="present") if clause.modal == "can" else clause

    def _asked_clause(self, tense: str | None = None) -> Clause:
        """A clause about somebody else; of what is not human, about that."""
        clause = self.any_clause(tense)
        while "person" in clause.verb.subjects and clause.subject in (I, WE):
            clause = self.any_clause(tense)
        return clause

    def wh_question(self) -> Question:
        """A question with a w-word."""
        kind = self.pick(("who", "who", "what", "where", "whither", "adverbial", "adverbial"))
        return getattr(self, f"_{kind}")()

    def _who(self) -> Question:
        draw = self.rng.random()
        if draw < 0.4:
            clause = self.deed("told", self.pick(("past", "present", "perfect")), YOU)
            return Question(settled(replace(clause, subject=HE)), "who", "subject")
        if draw < 0.55:
            verb = self.word(verbs_for("told", frozenset({"ditransitive"})))
            clause = self.clause(verb, "ditransitive", None, self.asked_about())
            return Question(replace(clause, recipient=None), "who", "recipient")
        frame = self.pick(("transitive", "dative"))
        verbs = [v for v in verbs_with(frame) if "person" in v.objects and "person" in v.subjects]
        clause = self.clause(self.word(verbs), frame, None, self.asked_about())
        return Question(replace(clause, object=None), "who", "object")

    def _what(self) -> Question:
        verbs = [v for v in verbs_with("transitive") if _is_clear_without_object(v)]
        clause = self.clause(self.word(verbs), "transitive", None, self.asked_about())
        return Question(replace(clause, object=None), "what", "object")

    def _where(self) -> Question:
        verb = self.word(verbs_with("position"))
        subject = self.asked_about() if "person" in verb.subjects else None
        return Question(replace(self.clause(verb, "position", None, subject), phrases=()), "where")

    def _whither(self) -> Question:
        name = self.pick(_MOVES)
        verb = next(v for v in lexicon.verbs() if v.english == name and _moves(v))
        frame = "travel" if "travel" in verb.frames else "motion"
        clause = self.clause(verb, frame, None, self.asked_about())
        return Question(replace(clause, phrases=()), "whither")

    def _adverbial(self) -> Question:
        asked = self.pick(("when", "why", "why", "how"))
        tense = self.pick(("past", "past", "present"))
        if asked == "when":
            verbs = [v for v in verbs_with("intransitive") if v.kind == "event" and v.level < 3]
            if tense == "present":
                verbs = [v for v in verbs if v.english in _SCHEDULED]
            verb = self.word(verbs)
            subject = self.asked_about() if "person" in verb.subjects else None
            return Question(self.clause(verb, "intransitive", tense, subject), asked)
        if asked == "how":
            verb = lexicon.verb(self.pick(_WAYS))
            return Question(self.clause(verb, "transitive", tense, self.asked_about()), asked)
        clause = self.deed("told", tense, self.asked_about())
        if self.chance(0.3):
            state = AdjectivalPredicate(lexicon.adjectives()[self.pick(STATES)])
            clause = Clause(self.asked_about(), tense=tense, predicate=state)
        return Question(self.negate(clause) if self.chance(0.3) else clause, asked)


def _moves(verb: Verb) -> bool:
    return "person" in verb.subjects and not verb.frames.isdisjoint({"motion", "travel"})


def _is_clear_without_object(verb: Verb) -> bool:
    """Not 'What did you wash?', which is waschen or spülen, nor where 'who' may be asked.

    Nor of what simply is so: 'What did he hate?'
    """
    same = [v for v in verbs_with("transitive") if v.english == verb.english]
    has_one_meaning = len({v.german_infinitive for v in same}) == 1
    is_done = not verb.is_state and verb.object_is != "known" and "person" in verb.subjects
    return is_done and has_one_meaning and not verb.objects & {"person", "young"}
