from __future__ import annotations

import os
from pathlib import Path

import pytest

from newscrawler.config import TableArray, add_table, create_configuration, load_configuration, remove_table
from newscrawler.errors import ConfigError

COMMENTED = """\
# my crawler
[crawler]
contact = "me@example.org"  # that is me

# the first
[[portal]]
name = "a"
start_urls = ["https://a.example/"]

# the second,
# much read
[[portal]]
name = "b"
start_urls = [
  "https://b.example/",  # front page
]
# [[portal]]
# tried and given up

# the third
[[portal]]
name = "c"
start_urls = ["https://c.example/"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "newscrawler.toml"
    path.write_text(COMMENTED, "utf-8")
    return path


def names(path: Path) -> list[str]:
    return [portal.name for portal in load_configuration(path).portals]


def test_a_first_configuration_is_right(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"

    create_configuration(path, "me@example.org")

    assert load_configuration(path).contact == "me@example.org"


def test_a_configuration_that_is_there_is_left_alone(file: Path) -> None:
    with pytest.raises(ConfigError, match="already exists"):
        create_configuration(file)

    assert file.read_text("utf-8") == COMMENTED


def test_a_wrong_contact_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"crawler\.contact"):
        create_configuration(tmp_path / "newscrawler.toml", "nobody")

    assert list(tmp_path.iterdir()) == []


def test_an_added_portal_leaves_every_other_line_as_it_was(file: Path) -> None:
    add_table(file, TableArray.PORTAL, {"name": "d", "start_urls": ["https://d.example/"], "include": [r"/\d+/"]})

    text = file.read_text("utf-8")
    assert text.startswith(COMMENTED)
    assert names(file) == ["a", "b", "c", "d"]
    assert load_configuration(file).portals[3].include[0].pattern == r"/\d+/"


def test_a_portal_is_added_where_no_file_is(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"

    add_table(path, TableArray.PORTAL, {"name": "d", "start_urls": ["https://d.example/"]})

    assert names(path) == ["d"]


def test_a_name_that_is_taken_changes_nothing(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"portal\[4\]\.name is \"b\", which portal\[2\] has already"):
        add_table(file, TableArray.PORTAL, {"name": "b", "start_urls": ["https://d.example/"]})

    assert file.read_text("utf-8") == COMMENTED


def test_a_removed_portal_takes_no_comment_of_another_along(file: Path) -> None:
    remove_table(file, TableArray.PORTAL, "a")

    assert names(file) == ["b", "c"]
    assert COMMENTED.replace('[[portal]]\nname = "a"\nstart_urls = ["https://a.example/"]\n', "", 1) == file.read_text("utf-8")


def test_comments_after_a_removed_portal_stay(file: Path) -> None:
    remove_table(file, TableArray.PORTAL, "b")

    text = file.read_text("utf-8")
    assert names(file) == ["a", "c"]
    assert "# tried and given up" in text
    assert "# the third\n[[portal]]" in text


def test_all_portals_can_be_removed_one_by_one(file: Path) -> None:
    for name in ("c", "a", "b"):
        remove_table(file, TableArray.PORTAL, name)

    assert names(file) == []
    assert "# my crawler" in file.read_text("utf-8")


def test_an_unknown_portal_is_told_with_those_that_are_known(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no portal x. It has: a, b, c"):
        remove_table(file, TableArray.PORTAL, "x")


def test_a_broken_file_is_not_edited(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"
    path.write_text("[crawler", "utf-8")

    with pytest.raises(ConfigError, match="not valid TOML"):
        remove_table(path, TableArray.PORTAL, "a")
    with pytest.raises(ConfigError, match="not valid TOML"):
        add_table(path, TableArray.PORTAL, {"name": "d", "start_urls": ["https://d.example/"]})

    assert path.read_text("utf-8") == "[crawler"


def test_the_rights_of_the_file_are_kept(file: Path) -> None:
    file.chmod(0o600)

    remove_table(file, TableArray.PORTAL, "a")

    assert file.stat().st_mode & 0o777 == 0o600


def test_an_edit_that_fails_leaves_file_and_folder_as_they_were(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(ConfigError, match="cannot be written: No space left on device; it is left as it was"):
        remove_table(file, TableArray.PORTAL, "a")

    assert file.read_text("utf-8") == COMMENTED
    assert [path.name for path in file.parent.iterdir()] == ["newscrawler.toml"]


def test_a_first_configuration_can_name_a_folder_for_all_data(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"

    create_configuration(path, "you@your.domain", tmp_path / "data")

    written = load_configuration(path)
    assert written.database_url == f"sqlite:///{tmp_path}/data/newscrawler.sqlite"
    assert Path(written.data_folder) == tmp_path / "data"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_changed_configuration_stays_readable_for_whom_it_was(tmp_path: Path) -> None:
    path = tmp_path / "newscrawler.toml"
    create_configuration(path, "you@your.domain")
    os.chown(path, 0, 65534)
    path.chmod(0o640)

    add_table(path, TableArray.PORTAL, {"name": "b", "start_urls": ["https://b.example/"]})

    assert (path.stat().st_gid, path.stat().st_mode & 0o777) == (65534, 0o640)
