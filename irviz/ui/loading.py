"""Opening one's own data: uploads and, where it is allowed, folders of the server.

Files are recognised by their content; the person may say otherwise before loading.
What a session loads is seen by nobody else.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from irviz.collection.bundle import bundled_views, open_bundle
from irviz.collection.catalogue import open_collection
from irviz.collection.names import natural_key
from irviz.collection.recognise import FoundFile, recognise
from irviz.collection.sources import ArrayQuota, Limits
from irviz.collection.topics import group_columns
from irviz.errors import IrvizError, join_words, number_of
from irviz.menu import page_named
from irviz.publish.code import file_name
from irviz.publish.export import to_csv
from irviz.server.internals import drop_uploads
from irviz.server.middleware import present_owner
from irviz.server.session_store import ROOM, excess, owner_store
from irviz.stats.scores import load_scores, with_groups
from irviz.ui.caches import lender
from irviz.ui.files import FILES, ask_roles, once, one_of_each, server_limits
from irviz.ui.navigation import open_page
from irviz.ui.progress import PageJob
from irviz.ui.report import offer, pack
from irviz.ui.sidebar import choose_data, open_key
from irviz.ui.state import SIDEBAR, Session, obey_forgetting, state
from irviz.ui.text import as_markdown, shown_errors
from irviz.ui.widgets import download, heard, put_widget, show_control, visible
from irviz.workspace.context import Dataset
from irviz.workspace.data import COLLECTION, START_DATA, find_data, missing_words, opened_collection, opened_scores
from irviz.workspace.nugget_handles import all_nuggets
from irviz.workspace.topic_groups import GROUPS

# -- The order of the aspects of a collection that is open already ---------------------------------

_KEY = "loading.main"


def show_aspects() -> None:
    """Which of several aspects comes first, to be changed; data that are another's stay as they are."""
    session = state()
    context = session.run.context
    if context is None or context.dataset.collection is None or lender(session, context.dataset.key) is not None:
        return
    aspects = context.dataset.collection.aspects
    if len(aspects) < 2:
        return
    put_widget(_KEY, aspects[0])
    st.selectbox(
        "Most important aspect of this collection",
        sorted(aspects),
        **heard(_KEY, _put_first, context.dataset.key),
        width=320,
        help="Measures of one aspect use this one. Another choice opens a second collection; the first stays open.",
    )


def show_grouping() -> None:
    """How topics are grouped, on all pages; nothing where they cannot be."""
    run = state().run
    for control in visible([run.fitted_controls[GROUPS]], run.values) if run.context is not None else ():
        show_control(control, run.values[GROUPS], SIDEBAR)


def _put_first(key: str) -> None:
    """Load the same collection with another aspect first."""
    session, first = state(), st.session_state[_KEY]
    collection = open_key(session, key).collection
    if collection is not None:
        order = [first, *(aspect for aspect in collection.aspects if aspect != first)]
        keep_loaded(session, opened_collection(collection.with_aspects(order)))


# -- Keeping the loaded collection as one file -----------------------------------------------------


def show_saving() -> None:
    """A button that downloads the collection as an ``.irviz`` file."""
    context = state().run.context
    if context is None or context.dataset.collection is None:
        return
    collection = context.dataset.collection
    st.markdown("### Keep it")
    with_ids = collection.documents is not None and st.checkbox(
        "With document identifiers and texts of topics",
        key="saving.documents",
        help="Without them the file contains only ranks and grades, and its warnings do not quote identifiers.",
    )
    with_users = collection.has_users and st.checkbox(
        "With what users said",
        key="saving.users",
        help="Satisfaction and preferences are saved only with this option; preferences name documents or systems.",
    )
    if st.checkbox(
        "With pseudonyms for the systems",
        key="saving.pseudonyms",
        help="The file calls the systems “System 01” and so on, and so do figures, links, shares and reports made "
        "from it. The same key gives the same pseudonyms.",
    ):
        proposed = st.session_state.setdefault("saving.proposed", secrets.token_hex(16))
        named, key = collection, st.text_input("Key of the pseudonyms; keep it", proposed, key="saving.key")
        with shown_errors():
            table = pd.DataFrame(named.pseudonyms(key).items(), columns=["system", "pseudonym"])
            table = table.sort_values("pseudonym")
            collection = named.with_pseudonyms(key)
            download("Who is who (CSV, for you alone)", to_csv(table), "pseudonyms.csv", "text/csv")
        if collection is named:
            return
    held = (
        "It also contains them and the scores of the runs." if with_ids else "It does not contain document identifiers."
    )
    st.caption(f"One file with rankings and judgments; opening it anywhere gives the same scores. {held}")
    content = partial(pack, collection, (), with_ids, with_users)
    download("Save as .irviz", content, file_name(collection.name), "application/zip")


# --------------------------------------------------------------------------------------------------

FOLDERS = "IRVIZ_FOLDERS"  #: environment: folders of the server that may be opened, separated as in PATH
_UPLOADER = "loading.files"
_MOST_LEFT_OUT = 8  # files whose problem is shown


def show_loading() -> bool:
    """The ways in, folded away until someone asks for them; true while files wait to be loaded."""
    session = state()
    _show_notice(session)
    opened = session.run.missing is not None or session.brings_data
    with st.expander("Open your own data", expanded=opened):
        tabs = ["Upload files"] + (["Folder on the server"] if folders() else [])
        for tab, show in zip(st.tabs(tabs), (_show_upload, _show_folders), strict=False):
            with tab, shown_errors():
                show(session)
        if session.datasets:
            st.button("Forget what I loaded", key="loading.forget", on_click=_forget, type="tertiary")
    return is_loading()


def is_loading() -> bool:
    """True while files wait to be loaded."""
    return bool(st.session_state.get(_uploader()))


def _show_notice(session: Session) -> None:
    """What was loaded, while it is open, and where to go with it."""
    key, message = session.loaded
    context = session.run.context
    if context is None or context.dataset.key != key:
        return
    st.success(as_markdown(message))
    loaded = context.dataset.collection
    page = page_named("scores" if loaded is None else "judges" if loaded.judges else "what_if")
    if st.button(f"Open {page.title}", key="loading.next", type="primary"):
        open_page(page)


def _uploader() -> str:
    """The key of the uploader; another one is an empty uploader."""
    return _UPLOADER + "+" * state().uploads


def _forget() -> None:
    """Let go of everything this browser loaded, on all its open pages; ``/forget`` does the same without a page."""
    owner_store().forget(present_owner())
    obey_forgetting(state())


def folders() -> list[Path]:
    """The folders of the server that the operator allows, and the collections right below them."""
    allowed = [Path(part).expanduser() for part in os.environ.get(FOLDERS, "").split(os.pathsep) if part]
    paths = [path for path in allowed if (path / "collection.json").is_file()]
    for path in allowed:
        if path.is_dir():
            entries = sorted(path.iterdir(), key=lambda entry: natural_key(entry.name))
            paths += [one for one in entries if one.suffix == ".irviz" or (one / "collection.json").is_file()]
    return paths


def _show_upload(session: Session) -> None:
    st.caption("Judgments and runs, scores by topic, or one .irviz file. Nobody else sees them.")
    files = st.file_uploader("Files", accept_multiple_files=True, key=_uploader(), label_visibility="collapsed")
    if not files:
        return

    def recognise_files() -> list[FoundFile]:
        with PageJob() as job:
            return recognise([(file.name, file.getvalue()) for file in files], server_limits(), job)

    found_files = once("loading.found", [(file.name, file.file_id) for file in files], recognise_files)
    kinds = {kind: [file for file in found_files if file.kind == kind] for kind in FILES}
    parts = [number_of(len(files), *FILES[kind]) for kind, files in kinds.items() if files]
    st.caption(f"Found {join_words(parts, joiner='and')}." if parts else "Found neither judgments nor results.")
    _show_left_out([file for file in found_files if file.problem])
    kinds["groups"] += [file for file in kinds["topics"] if group_columns(file.data) > 2]
    if kinds["collection"]:
        _offer(session, "Open", lambda limits: _from_bundle(kinds["collection"], limits))
    elif kinds["nuggets"] and not kinds["run"]:
        _offer(session, "Load the nuggets", partial(_from_nuggets, kinds))
    elif kinds["scores"] and all(file in kinds["scores"] + kinds["groups"] for file in found_files):
        _take(session, _from_scores(kinds, server_limits()))  # nothing to choose
    elif kinds["scores"] and not kinds["run"]:
        _offer(session, "Load the scores", partial(_from_scores, kinds))
    else:
        _show_roles(session, found_files, kinds)


def _show_left_out(found_files: list[FoundFile]) -> None:
    """Why some files are not loaded: broken runs in red."""
    for is_run, show in ((True, st.error), (False, st.warning)):
        problems = [file.problem for file in found_files if (file.kind == "run") == is_run]
        if problems:
            more = [f"{len(problems):,} files in all."] * (len(problems) > _MOST_LEFT_OUT)
            lines = [*problems[:_MOST_LEFT_OUT], *more]
            show("Left out:\n\n" + "\n\n".join(map(as_markdown, lines)))


def _show_roles(session: Session, found_files: list[FoundFile], kinds: dict[str, list[FoundFile]]) -> None:
    """Ask for the roles of files; draw a button that loads them, without runs that cannot be read."""
    above = st.container()  # the button: in sight before the choices, which have defaults
    plan = ask_roles(found_files, kinds)
    if plan is None:
        return
    load, runs = plan

    def load_dataset(limits: Limits) -> Dataset:
        with PageJob() as job:
            return opened_collection(load(limits=limits, skip_broken=True, progress=job))

    with above, shown_errors():
        _offer(session, f"Load {number_of(runs, 'run file')}", load_dataset)


def _offer(session: Session, label: str, load: Callable[[Limits], Dataset]) -> None:
    """A button that loads, and then looks at what was loaded."""
    if st.button(label, type="primary", key="loading.go"):
        _take(session, load(server_limits()))


def _take(session: Session, dataset: Dataset) -> None:
    """Look at what was loaded, and let go of its files."""
    keep_loaded(session, dataset)
    for key in ("loading.found", "loading.answered", "loading.guess", "loading.judged"):
        st.session_state.pop(key, None)
    drop_uploads()
    session.uploads += 1
    session.brings_data = False
    if dataset.collection is not None:
        session.complaints += [
            f"{finding.file}: {finding.message}"
            for finding in dataset.collection.findings
            if finding.severity == "error"
        ]
    systems, topics = number_of(len(dataset.systems), "system"), number_of(len(dataset.topics), "topic")
    session.loaded = (dataset.key, f"Loaded {dataset.title}: {systems}, {topics}. All pages show it now.")
    if dataset.imported_scores is not None and session.awaited_view is None:
        open_page(page_named("scores"))
    st.rerun()


def keep_loaded(session: Session, dataset: Dataset) -> None:
    """Remember loaded data, in this session and for this browser, and look at them."""
    session.datasets.pop(dataset.key, None)
    session.datasets[dataset.key] = dataset
    owner_store().keep(present_owner(), dataset)
    session.forget_complaints()
    _make_room(session)
    choose_data(session, dataset.key)
    wanted = "" if session.awaited_view is None else session.awaited_view.values.get(COLLECTION.name, "")
    if wanted and find_data(wanted, [dataset]) is None:
        session.complaints.append(f"`{dataset.title}` is not what a link asked for. {missing_words(wanted)}")


def _make_room(session: Session) -> None:
    """If loaded data take too much memory, remove the least recently used ones and say so."""
    loaded = {key: dataset for key, dataset in session.datasets.items() if key not in START_DATA}
    gone = [session.datasets.pop(key) for key in excess(loaded, ROOM // 2)]
    if gone:
        names = join_words((f"`{dataset.title}`" for dataset in gone), most=4, joiner="and")
        session.complaints.append(
            f"What you loaded takes more than {ROOM >> 21:,} MB. Removed, the least recently used: {names}."
        )


def _from_bundle(found_files: list[FoundFile], limits: Limits) -> Dataset:
    if len(found_files) > 1:
        raise IrvizError(f"{len(found_files)} .irviz files were given. Open one at a time.")
    bundle = (found_files[0].file, found_files[0].data)
    ArrayQuota(limits).take(2 * len(found_files[0].data), found_files[0].file, "Save fewer systems, topics or ranks.")
    opened = opened_collection(open_bundle(bundle))
    offer(bundled_views(bundle))
    return opened


def _from_scores(kinds: dict[str, list[FoundFile]], limits: Limits) -> Dataset:
    files = [(file.file, file.data) for file in kinds["scores"]]
    return opened_scores(load_scores(files, **one_of_each(kinds, "groups"), limits=limits))


def _from_nuggets(kinds: dict[str, list[FoundFile]], limits: Limits) -> Dataset:
    found = one_of_each(kinds, "nuggets", "groups")
    return opened_scores(with_groups(all_nuggets(found["nuggets"], limits=limits), found.get("groups")))


def _show_folders(session: Session) -> None:
    st.caption(f"Collections in the folders that this server's {FOLDERS} names.")
    paths = {str(path): path for path in folders()}
    chosen = st.selectbox("Collection", list(paths), format_func=lambda path: paths[path].name, key="loading.folder")
    if st.button("Open", key="loading.folder.go"):
        with PageJob(), st.spinner("Opening the collection …"):
            keep_loaded(session, opened_collection(open_collection(paths[chosen])))
        st.rerun()
