"""Random questions."""

from __future__ import annotations

from dataclasses import replace

from tf_models.data.grammar import lexicon
from tf_models.data.grammar.complex_sentences import ComplexSentenceSampler
from tf_models.data.grammar.phrases import settled
from tf_models.data.grammar.selection import verbs_with
from tf_models.data.grammar.syntax import (
    HE,
    PERSONAL_PRONOUNS,
    Question,
)


class QuestionSampler(ComplexSentenceSampler):
    """Draws yes-no questions and questions with a w-word."""

    def yes_no(self) -> Question:
        """A yes-no question."""
        draw = self.rng.random()
        clause = self.any_clause()
        if draw < 0.2:
            clause = self.copula(self.thing_or_person())
        elif draw < 0.4:
            clause = self.modal_clause()
        elif self.chance(0.25):
            clause = self.with_adverb(clause)
        is_first = clause.subject == PERSONAL_PRONOUNS[0]
        if self.chance(0.12) and clause.modal is None and clause.adverb is None and not is_first:
            clause = replace(clause, negated=True)
        return Question(clause)

    def wh_question(self) -> Question:
        """A question with a w-word."""
        kind = self.pick(("who", "who", "what", "where", "whither", "adverbial", "adverbial"))
        return getattr(self, f"_{kind}")()

    def _who(self) -> Question:
        draw = self.rng.random()
        if draw < 0.4:
            clause = self.any_clause(self.pick(("past", "present", "perfect")))
            while not self.is_person(clause.subject) or clause.verb.english == "belong to":
                clause = self.any_clause(self.pick(("past", "present", "perfect")))
            return Question(settled(replace(clause, subject=HE)), "who", "subject")
        if draw < 0.55:
            clause = self.clause(self.pick(verbs_with("ditransitive")), "ditransitive")
            return Question(replace(clause, recipient=None), "who", "recipient")
        frame = self.pick(("transitive", "dative"))
        verbs = [v for v in verbs_with(frame) if "person" in v.objects and "person" in v.subjects]
        clause = self.clause(self.pick(verbs), frame)
        return Question(replace(clause, object=None), "who", "object")

    def _what(self) -> Question:
        verbs = [v for v in verbs_with("transitive") if not v.objects & {"person", "young"}]
        clause = self.clause(self.pick(verbs), "transitive")
        return Question(replace(clause, object=None), "what", "object")

    def _where(self) -> Question:
        clause = self.clause(self.pick(verbs_with("position")), "position")
        return Question(replace(clause, phrases=()), "where")

    def _whither(self) -> Question:
        verb = lexicon.verb(self.pick(("go", "run", "travel", "fly", "jump")))
        frame = "travel" if "travel" in verb.frames else "motion"
        return Question(replace(self.clause(verb, frame), phrases=()), "whither")

    def _adverbial(self) -> Question:
        asked = self.pick(("when", "why", "why", "how"))
        clause = self.any_clause(self.pick(("past", "present")))
        while clause.subject == PERSONAL_PRONOUNS[0]:  # not "When am I smiling?"
            clause = self.any_clause(self.pick(("past", "present")))
        if asked == "how":
            verbs = "open repair solve write translate cook explain"
            verb = lexicon.verb(self.pick(verbs.split()))
            clause = self.clause(verb, "transitive", self.pick(("past", "present")))
        if asked == "why":
            if self.chance(0.3):
                clause = self.copula(self.thing_or_person())
            is_first = clause.subject == PERSONAL_PRONOUNS[0]
            if self.chance(0.3) and not is_first:
                clause = replace(clause, negated=True)
        return Question(clause, asked)
