"""Names and numbers that a translation copies."""

from research.grammar.names import is_held_out
from research.grammar.unseen import unseen_copies

UNSEEN = next(
    name
    for name in ("Anka", "Belo", "Ciro", "Dilma", "Enzo", "Fumi")
    + tuple(f"Za{letter}o" for letter in "bcdfghjklmnprstvw")
    if is_held_out(name)
)
SEEN = next(name for name in ("Anna", "Tom", "Paul", "Emma") if not is_held_out(name))
NUMBER = next(str(number) for number in range(100, 999) if is_held_out(str(number)))


def test_unseen_copies():
    source, reference = (
        f"{UNSEEN}'s dog has {NUMBER} apples.",
        f"{UNSEEN}s Hund hat {NUMBER} Äpfel.",
    )

    assert unseen_copies(source, reference) == {f"{UNSEEN}s", NUMBER}
    assert unseen_copies(f"{SEEN} sleeps.", f"{SEEN} schläft.") == set()
    assert unseen_copies("Butter is good.", "Butter ist gut.") == set()
