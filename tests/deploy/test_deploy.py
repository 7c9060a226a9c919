"""What deploy/ holds is well-formed and speaks of things that are there; no container engine is needed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest

from newscrawler.cli import main
from newscrawler.config import load_configuration
from newscrawler.discovery import Coverage
from newscrawler.discovery.completeness import Basis, Completeness
from newscrawler.service import PortalState
from newscrawler.service.figures import CrawlFigures
from newscrawler.service.health import AlertKind, assess
from newscrawler.service.metrics import Metrics, Snapshot
from newscrawler.store.vocabularies import FINISHED

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
RUN_BOOK = (ROOT / "docs" / "run-book.md").read_text("utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())
NOW = datetime(2026, 11, 20, 7, tzinfo=UTC)
COVERAGE = Coverage(found=97, estimate=Completeness(basis=Basis.LISTS, found=97, total=100.0, low=98.0, high=104.0))


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, lines joined."""
    joined = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE))
    return [(word, rest.strip()) for line in joined.splitlines() if line.strip() for word, _, rest in [line.partition(" ")]]


def documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text("utf-8")) if document]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_image_runs_without_root_and_tells_its_health() -> None:
    found = instructions()
    last_stage = found[max(index for index, (word, _) in enumerate(found) if word == "FROM") :]
    words = dict(last_stage)

    assert re.fullmatch(r"\d+:\d+", words["USER"])
    assert "newscrawler" in words["HEALTHCHECK"]
    assert json.loads(words["ENTRYPOINT"]) == ["newscrawler"]
    assert words["STOPSIGNAL"] == "SIGTERM"
    assert words["VOLUME"] == "/data"


def test_the_dockerfile_keeps_the_habits_that_linters_ask_for() -> None:
    found = instructions()
    froms = [rest for word, rest in found if word == "FROM"]

    assert all(":" in rest and ":latest" not in rest for rest in froms)
    assert not [word for word, _ in found if word in {"ADD", "MAINTAINER"}]
    assert not [rest for word, rest in found if word == "RUN" and re.search(r"\b(sudo|apt|curl|wget)\b", rest)]
    assert all(word != "WORKDIR" or rest.startswith("/") for word, rest in found)
    assert [word for word, _ in found if word in {"CMD", "ENTRYPOINT"}] == ["ENTRYPOINT", "CMD"]


def test_what_the_image_is_built_from_is_let_through_to_the_engine() -> None:
    let = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    needed = {"newscrawler", "migrations", "pyproject.toml", "README.md", "LICENSE", "deploy", "docs"}

    assert needed <= let
    assert all((ROOT / name).exists() for name in let)


@pytest.mark.skipif(not os.environ.get("NEWSCRAWLER_IMAGE"), reason="installs everything anew; NEWSCRAWLER_IMAGE=1 does it")
@pytest.mark.timeout(900)
def test_the_steps_of_the_image_work_as_another_user_in_an_empty_folder() -> None:
    with tempfile.TemporaryDirectory(prefix="newscrawler-image-") as folder:
        top = Path(folder)
        top.chmod(0o755)  # pytest's own folders are closed to others
        source, wheels, target, data = (top / name for name in ("source", "wheels", "opt", "data"))
        _copy_context(source)
        data.mkdir()
        another: dict[str, Any] = {}
        if os.geteuid() == 0:
            for path in (top, *top.rglob("*")):
                os.chown(path, 65534, 65534)
            another = {"user": 65534, "group": 65534, "extra_groups": []}
        kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("PIP_")}

        def run(*words: str | Path) -> str:
            done = subprocess.run(
                list(map(str, words)),
                check=True,
                env=kept | {"HOME": str(data)},
                cwd=data,
                capture_output=True,
                text=True,
                **another,
            )
            return done.stdout

        run(source / "deploy/container/build-wheel", source, wheels)
        run(source / "deploy/container/install", wheels, target, source / "deploy/constraints")

        assert "demo-out" in run(target / "bin/newscrawler", "demo")


def _copy_context(source: Path) -> None:
    """What the engine is sent."""
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if line.startswith("!"):
            there = ROOT / line[1:]
            (source / line[1:]).parent.mkdir(parents=True, exist_ok=True)
            if there.is_dir():
                shutil.copytree(there, source / line[1:], ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(there, source / line[1:])


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx here")
def test_nginx_finds_nothing_wrong_with_its_site(tmp_path: Path) -> None:
    site = (DEPLOY / "nginx" / "newscrawler.conf").read_text("utf-8")
    site = re.sub(r"^ +ssl_.*\n", "", re.sub(r"listen (.*)443 ssl;", r"listen \g<1>8443;", site), flags=re.MULTILINE)
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{site}}}\n")

    done = subprocess.run(["nginx", "-t", "-c", str(tmp_path / "nginx.conf")], check=False, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for name in UNITS:
        text = (DEPLOY / "systemd" / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace("/opt/newscrawler/bin/newscrawler", sys.executable))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"SYSTEMD_LOG_LEVEL": "warning"},
    )

    ours = [line for line in (done.stderr + done.stdout).splitlines() if "newscrawler" in line]
    assert not ours


def test_units_call_commands_that_there_are() -> None:
    texts = [RUN_BOOK, *(path.read_text("utf-8") for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".json")]
    commands = set(
        re.findall(
            r"^(?:ExecStart=.*?|.*?&& \S*|\s*(?:sudo -u newscrawler )?)newscrawler ([a-z]\w+)", "\n".join(texts), re.MULTILINE
        )
    )

    assert {"run", "crawl", "db", "status"} <= commands
    assert commands - {"newscrawler"} <= set(main.list_commands(None))  # type: ignore[arg-type]


def test_pods_run_without_root_on_a_read_only_root() -> None:
    pods = []
    for path in (DEPLOY / "kubernetes").rglob("*.yaml"):
        for document in documents(path):
            spec = document.get("spec", {})
            spec = spec.get("jobTemplate", {}).get("spec", spec)
            if "template" in spec:
                pods.append(spec["template"]["spec"])

    assert len(pods) == 6
    for pod in pods:
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert mounts in ({"/data", "/etc/newscrawler", "/tmp"}, {"/data", "/etc/newscrawler"})
        assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}


def workloads() -> dict[str, dict[str, Any]]:
    """Return what kustomization.yaml names, by kind and name."""
    folder = DEPLOY / "kubernetes" / "workers"
    (kustomization,) = documents(folder / "kustomization.yaml")
    found = [document for name in kustomization["resources"] for document in documents(folder / name)]
    return {f"{document['kind']} {document['metadata']['name']}": document for document in found}


def arguments_of(workload: dict[str, Any]) -> list[str]:
    (container,) = workload["spec"]["template"]["spec"]["containers"]
    return list(container["args"])


def test_the_cluster_has_workers_planners_web_and_a_step_that_prepares_the_database() -> None:
    found = workloads()

    assert arguments_of(found["Job newscrawler-prepare"]) == ["worker", "--prepare"]
    assert arguments_of(found["Deployment newscrawler-worker"]) == ["worker", "--role", "crawl"]
    assert arguments_of(found["Deployment newscrawler-planner"]) == ["worker", "--role", "plan"]
    assert arguments_of(found["Deployment newscrawler-web"])[0] == "web"
    assert found["Deployment newscrawler-worker"]["spec"]["replicas"] > 1
    assert found["Deployment newscrawler-planner"]["spec"]["replicas"] > 1


def test_everything_that_the_cluster_names_is_there() -> None:
    folder = DEPLOY / "kubernetes" / "workers"
    (kustomization,) = documents(folder / "kustomization.yaml")
    (generator,) = kustomization["configMapGenerator"]
    written = {path.name for path in folder.iterdir()} - {"kustomization.yaml"}

    assert set(kustomization["resources"]) | set(generator["files"]) == written
    assert load_configuration(folder / "newscrawler.toml").portals
    for workload in workloads().values():
        template = workload["spec"].get("template")
        selector = workload["spec"].get("selector", {})
        if template is None:
            labels = selector.get("matchLabels", selector)
            others = [other["spec"]["selector"]["matchLabels"] for name, other in workloads().items() if "Deployment" in name]
            assert labels in others
            continue
        if selector:
            assert selector["matchLabels"].items() <= template["metadata"]["labels"].items()
        maps = [volume["configMap"]["name"] for volume in template["spec"]["volumes"] if "configMap" in volume]
        assert maps == [generator["name"]]


def test_commands_of_containers_are_options_that_there_are() -> None:
    (compose,) = documents(DEPLOY / "compose.workers.yml")
    commands = [arguments_of(each) for each in workloads().values() if "template" in each["spec"]]
    commands += [service["command"] for service in compose["services"].values() if "command" in service]
    commands.append(compose["services"]["worker"]["healthcheck"]["test"][2:])

    for name, *options in commands:
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts}
        assert {option for option in options if option.startswith("--")} <= known


def test_compose_starts_two_workers_when_the_database_is_prepared() -> None:
    (compose,) = documents(DEPLOY / "compose.workers.yml")
    worker, prepare, web = (compose["services"][name] for name in ("worker", "prepare", "web"))

    assert worker["deploy"]["replicas"] == 2
    assert worker["depends_on"] == web["depends_on"] == {"prepare": {"condition": "service_completed_successfully"}}
    assert prepare["depends_on"]["database"]["condition"] == "service_healthy"
    assert worker["read_only"] is web["read_only"] is True
    assert "${POSTGRES_PASSWORD:?" in worker["environment"]["NEWSCRAWLER_DATABASE"]
    assert web["ports"] == ["127.0.0.1:8765:8765"]


def test_the_image_holds_what_workers_need() -> None:
    assert "cluster]" in (DEPLOY / "container" / "install").read_text("utf-8")


def test_compose_asks_for_a_password_and_waits_for_the_database() -> None:
    (compose,) = documents(DEPLOY / "compose.yml")
    crawler, database = compose["services"]["newscrawler"], compose["services"]["database"]

    assert crawler["read_only"] is True
    assert crawler["depends_on"]["database"]["condition"] == "service_healthy"
    assert "${POSTGRES_PASSWORD:?" in crawler["environment"]["NEWSCRAWLER_DATABASE"]
    assert "${POSTGRES_PASSWORD:?" in database["environment"]["POSTGRES_PASSWORD"]
    assert (DEPLOY / crawler["build"]["context"] / crawler["build"]["dockerfile"]).exists()


def test_compose_publishes_web_and_metrics_on_this_machine_alone() -> None:
    (compose,) = documents(DEPLOY / "compose.yml")
    published = [port.rpartition(":")[0] for port in compose["services"]["newscrawler"]["ports"]]
    service = tomllib.loads((DEPLOY / "container" / "newscrawler.toml").read_text("utf-8"))["service"]

    assert published == [f"127.0.0.1:{service[name].rpartition(':')[2]}" for name in ("web", "listen")]
    assert load_configuration(DEPLOY / "container" / "newscrawler.toml").service.web is not None


def test_the_configuration_of_compose_can_be_replaced_by_a_new_file() -> None:
    (compose,) = documents(DEPLOY / "compose.yml")
    (mount,) = [each for each in compose["services"]["newscrawler"]["volumes"] if each["target"].startswith("/etc")]

    assert mount["target"] == "/etc/newscrawler"
    assert not mount.get("read_only")


def test_every_deployment_gives_the_service_the_same_memory() -> None:
    (compose,) = documents(DEPLOY / "compose.yml")
    pods = [document for document in documents(DEPLOY / "kubernetes" / "newscrawler.yaml") if document["kind"] == "Deployment"]
    (container,) = pods[0]["spec"]["template"]["spec"]["containers"]
    unit = (DEPLOY / "systemd" / "newscrawler.service").read_text("utf-8")

    limits = {compose["services"]["newscrawler"]["mem_limit"], container["resources"]["limits"]["memory"].removesuffix("i")}
    limits |= set(re.findall(r"^MemoryMax=(.*)$", unit, re.MULTILINE))
    assert {limit.lower() for limit in limits} == {"2g"}


def test_all_units_are_confined_alike() -> None:
    def confined(name: str) -> set[str]:
        text = (DEPLOY / "systemd" / name).read_text("utf-8")
        words = "NoNew|Protect|Private|Restrict[A-Z]|Lock|MemoryDeny|RemoveIPC|SystemCall|UMask"
        return set(re.findall(rf"^(?:{words}|.*Capabilit).*", text, re.MULTILINE))

    units = {name: confined(name) for name in UNITS if name.endswith(".service")}
    assert len(units) == 3
    assert all(found == units["newscrawler.service"] for found in units.values())
    assert "SystemCallFilter=@system-service" in units["newscrawler-backup.service"]


def test_the_versions_of_the_container_are_pinned_for_its_python() -> None:
    python = dict(instructions())["ARG"].partition("=")[2]
    pinned = (DEPLOY / "constraints" / f"python{python}.txt").read_text("utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["postgresql"], *extras["cluster"]]

    assert all(re.fullmatch(r"[a-z0-9.-]+==[\w.]+", line) for line in pinned)
    assert {re.split(r"[ \[]", name)[0] for name in wanted} <= {line.partition("==")[0] for line in pinned}


def test_the_newest_dumps_of_the_database_stay_and_a_failed_one_leaves_nothing(tmp_path: Path) -> None:
    program, folder = tmp_path / "pg_dump", tmp_path / "backups"
    program.write_text(
        '#!/bin/sh\nfor word; do case $word in --file=*) echo dump > "${word#--file=}";; esac; done\nexit ${FAILS:-0}\n'
    )
    program.chmod(0o755)
    folder.mkdir()
    for day in range(1, 5):
        (folder / f"newscrawler-2026010{day}T000000Z.dump").touch()
    script = [str(DEPLOY / "container" / "back-up-database"), str(folder), "3"]
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}

    failed = subprocess.run(script, env=environment | {"FAILS": "1"}, check=False, capture_output=True)
    before = len(list(folder.iterdir()))
    subprocess.run(script, env=environment, check=True, capture_output=True)

    *old, newest = sorted(folder.iterdir())
    assert (failed.returncode, before) == (1, 4)
    assert [path.name for path in old] == ["newscrawler-20260103T000000Z.dump", "newscrawler-20260104T000000Z.dump"]
    assert newest.read_text() == "dump\n"


def expressions() -> Iterable[str]:
    """All PromQL of rules and dashboard."""
    (rules,) = documents(DEPLOY / "prometheus" / "newscrawler.rules.yml")
    yield from (rule["expr"] for group in rules["groups"] for rule in group["rules"])
    dashboard = json.loads((DEPLOY / "grafana" / "newscrawler.json").read_text("utf-8"))
    yield from (target["expr"] for panel in dashboard["panels"] for target in panel["targets"])


def night(number: int, began: datetime) -> CrawlFigures:
    return CrawlFigures(
        round=number, began_at=began, ended_at=began + timedelta(hours=1), seconds=3600.0, because=FINISHED, requests=150,
        pages=120, articles=100, undated=1, readable=True, denied={}, unreachable={}, coverage=COVERAGE,
    )  # fmt: skip


def test_rules_and_dashboard_ask_for_metrics_that_there_are() -> None:
    metrics = Metrics()
    began = [NOW - timedelta(days=days, hours=9) for days in range(8, 0, -1)]
    assessments = assess([night(index, at) for index, at in enumerate(began)])
    portal = PortalState(name="a", assessments=assessments, next_at=NOW + timedelta(hours=15))
    metrics.take(Snapshot(at=NOW, started_at=NOW, crawls={"a": 100}, portals=(portal,), next_at={"a": NOW}))
    there = set(re.findall(r"^# TYPE (\w+)", generate_latest(metrics.registry).decode(), re.MULTILINE))

    asked = {name for expression in expressions() for name in re.findall(r"newscrawler_\w+", expression)}

    assert asked <= there
    assert len(asked) > 8


def test_every_alert_has_its_section_in_the_run_book() -> None:
    there = anchors(RUN_BOOK)
    (rules,) = documents(DEPLOY / "prometheus" / "newscrawler.rules.yml")
    books = [rule["annotations"]["runbook"] for group in rules["groups"] for rule in group["rules"]]

    assert {book.partition("#")[2] for book in books} <= there
    assert {str(problem).replace(" ", "-").replace(".", "") for problem in AlertKind} <= there
    assert set(re.findall(r"\]\(#([\w-]+)\)", RUN_BOOK)) <= there
