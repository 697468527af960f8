"""How the dashboard looks beside its theme: two sheets, one always, one while presenting."""

from __future__ import annotations

from irviz.figures.motion import MOTION_STYLE

_PAGE_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 3.9rem; padding-bottom: 3rem; }
[data-testid="stTopNavLink"], [data-testid="stTopNavSection"] { padding-left: 0.25rem; padding-right: 0.25rem; }
[data-testid="stTopNavLinkContainer"] { margin-left: 0; margin-right: 0; }
:has(> .st-key-scripts) { display: none; }
[data-testid="stTopNavLink"]:focus-visible, .modebar-btn:focus-visible { outline: 2px solid currentColor !important; }
[data-testid="stSidebarHeader"] { height: 2.5rem; margin-bottom: 0; }
.st-key-heading { gap: 0.5rem 1.5rem; }
.st-key-heading > [data-testid="stElementContainer"]:first-child { flex: 1 1 auto; width: auto; max-width: 100%; }
.st-key-heading > :has(.st-key-toolbar) { flex: 0 0 auto; width: auto; margin-left: auto; }
.st-key-toolbar { flex-wrap: nowrap; }
[class*="st-key-sentence"] p { font-size: 1.1rem; line-height: 1.5; }
[class*="st-key-sentence"] code { font-size: 0.95em; }
[data-testid="stMainBlockContainer"] h3 { font-size: 1.15rem; line-height: 1.4; padding: 0.3rem 0; }
[data-testid^="stBaseButton-primary"] { background: #0072B2; border-color: #0072B2; color: #fff; }
[data-testid^="stBaseButton-primary"]:is(:hover, :focus) { background: #005A94; border-color: #005A94; color: #fff; }
[data-testid="stCaptionContainer"] { opacity: 0.82; }
[data-testid="stCaptionContainer"] code { font-size: 0.85em; }
[data-testid="stMultiSelectTagsContainer"] > span > span { background: #0072B2; color: #fff; height: auto; }
[data-testid="stMultiSelectTagsContainer"] > span > span > span:first-child {
  white-space: normal; overflow-wrap: anywhere;
}
[data-testid="stApp"]:not([data-test-connection-state="CONNECTED"])::after {
  content: "The connection to irviz is lost. What is on the screen stays; changes wait until it is back.";
  position: fixed; z-index: 999999; bottom: 1rem; left: 50%; transform: translateX(-50%); width: max-content;
  max-width: 90vw; padding: 0.6rem 1rem; border-radius: 0.4rem; background: #8A3B00; color: #fff;
  visibility: hidden; animation: irviz-lost 0s linear 2s forwards;
}
@keyframes irviz-lost { to { visibility: visible; } }
:has(> .st-key-goal) { position: sticky; bottom: 0; z-index: 5; backdrop-filter: blur(14px); }
.st-key-lab [data-testid="stCheckbox"] :is(label div, label p) { white-space: normal; overflow: visible; }
.js-plotly-plot .modebar-container { top: auto !important; bottom: 0; height: auto !important; }
@media (hover: none) { .js-plotly-plot .modebar-container { display: none; } }
@media (min-width: 769px) {
  [data-testid="stSidebar"]:not(:has([data-testid="stElementContainer"], [data-testid="stSidebarNav"])) {
    display: none;
  }
}
@media (min-width: 641px) {
  :not(.st-key-lab *) > [data-testid="stColumn"]:has(.js-plotly-plot) { min-width: 250px; }
}
@media (min-width: 641px) and (max-width: 1100px) {
  :not(.st-key-lab *) > [data-testid="stColumn"]:has(.js-plotly-plot) { min-width: 300px; }
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; padding-top: 4.25rem; }
  .st-key-toolbar { gap: 0.35rem; }
  :is(.st-key-topics-topics, .st-key-collection-grades, .st-key-judges-grades):has(g.xtick:nth-of-type(14)) {
    overflow-x: auto;
    > * { min-width: 860px; }
  }
  [data-testid="stTable"] :is(td:last-child, td:last-child *) { overflow-wrap: anywhere; }
  .st-key-toolbar button { padding-left: 0.5rem; padding-right: 0.5rem; }
  .st-key-lab > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] {
    flex-direction: column; flex-wrap: nowrap;
  }
  .st-key-lab > * > * > [data-testid="stColumn"]:last-child,
  .st-key-lab > * > * > [data-testid="stColumn"]:last-child > [data-testid="stVerticalBlock"] { display: contents; }
  .st-key-lab > * > * > [data-testid="stColumn"]:first-child { order: 1; }
  .st-key-lab > * > * > * > * > :has(> .st-key-reading) { order: 2; }
  .st-key-lesson-step [data-testid="stColumn"] { min-width: 100%; }
}
.st-key-lesson-step, .st-key-lesson-step [data-testid="stVerticalBlock"] { gap: 0.5rem; }
.st-key-lesson-step > [data-testid="stElementContainer"] p { font-size: 1.05rem; }
</style>"""
APP_STYLE = _PAGE_STYLE.replace("</style>", f"{MOTION_STYLE}</style>")

PRESENTING = """<style>
html { font-size: 20px !important; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0.8rem 1.6rem; }
.st-key-heading h2 { font-size: 1.5rem; padding: 0.2rem 0; }
.js-plotly-plot .modebar-container { display: none; }
</style>"""
