import pytest

from tools.rules_covered import BUILT, LATER, ROOT, main, missing, named_in, rules_in, sources

DOCUMENT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

RULES = """
## 0. How to read
- **R-OLD-1** Not in a chapter that is asked for.
## 1. Common core
### 1.1 Set-up
- **R-SETUP-1** Players.
- **R-SETUP-10** More of them, beside **R-SETUP-3** in the text.
## 7. Atomic decisions
- **R-ACT-PASS** Passing.
## Appendix D. All rulings
- **R-SETUP-99** Only repeated here.
"""
TESTS = '''
def test_one() -> None:
    """R-SETUP-10: a fact; see also R-ACT-PASS."""

def test_r_final_2_and_more() -> None:
    """Named by its name."""

class TestMore:
    def test_two(self) -> None:
        """Ties (R-TIE-0) and R-DICE-30…32."""

def helper() -> None:
    """R-SETUP-1 in a helper is no test."""
'''


def test_every_built_rule_has_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    """Every rule of the built chapters is named by a test."""
    status = main()

    assert (0, "") == (status, "".join(capsys.readouterr().out.splitlines()[:-1]))


def test_rules_are_found_by_chapter() -> None:
    """A rule is a bold id at the start of a line in one of the given chapters."""
    assert ["R-SETUP-1", "R-SETUP-10", "R-ACT-PASS"] == rules_in(RULES, ["1", "7"])
    assert ["R-ACT-PASS"] == rules_in(RULES, ["7"])


def test_only_tests_count() -> None:
    """An id counts in the docstring or the name of a test, and nowhere else."""
    assert {"R-SETUP-10", "R-ACT-PASS", "R-FINAL-2", "R-TIE-0", "R-DICE-30"} == set(named_in(TESTS))


def test_planted_gap_is_noticed() -> None:
    """A rule that no test names is reported, even if its id is the beginning of another."""
    assert ["R-SETUP-1"] == missing(rules_in(RULES, ["1", "7"]), [TESTS])


def test_gap_among_our_own_tests_is_noticed() -> None:
    """A rule added to the real document is reported as missing in the real tests."""
    planted = DOCUMENT.replace("- **R-TURN-1** ", "- **R-TURN-0** Planted.\n- **R-TURN-1** ")

    assert ["R-TURN-0"] == missing(rules_in(planted, ["1"]), sources())


def test_rules_for_later_are_rules_without_a_test() -> None:
    """`LATER` lists exactly the rules of the built chapters that no test names."""
    assert sorted(LATER) == sorted(set(missing(rules_in(DOCUMENT, BUILT), sources())))
