// The frame of every page: a sidebar, a header with title, state and actions, and one row of tabs. Pure.
import { isAtLeast, type OwnWorkspace, type Role, type SurveyFrame, type Visitor } from '../database/store.ts';
import { asset } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import { menu, notice, stateStatus, status } from './components.ts';
import { FIRST_STEPS } from './first-steps.ts';
import { FLASHES, type FlashCode } from './flashes.ts';

export interface PageContext {
  readonly me: Visitor;
  readonly csrf: string;
  readonly now: Date;
  readonly flash: FlashCode | undefined;
}

type Level = readonly [path: string, label: string];
type Link = readonly [name: string, path: string, label: string, minRole: Role];

/** The pages of a workspace. Add a line here for a new page. */
const sidebar = (id: string) =>
  [
    ['surveys', `/workspaces/${id}`, 'Surveys', 'viewer'],
    ['recipients', `/workspaces/${id}/recipients`, 'Recipients', 'editor'],
    ['do-not-email', `/workspaces/${id}/do-not-email`, 'Do-not-email list', 'editor'],
    ['sending', `/workspaces/${id}/sending`, 'Sending', 'admin'],
    ['webhooks', `/workspaces/${id}/webhooks`, 'Webhooks', 'admin'],
    ['members', `/workspaces/${id}/members`, 'Members', 'admin'],
    ['sender', `/workspaces/${id}/sender`, 'Sender', 'admin'],
    ['rules', `/workspaces/${id}/rules`, 'When emails leave', 'admin'],
    ['settings', `/workspaces/${id}/settings`, 'Settings', 'admin'],
    ['audit', `/workspaces/${id}/audit`, 'Audit log', 'admin'],
  ] as const satisfies Link[];

/** The tabs of a survey. Add a line here for a new tab. */
const surveyTabs = (id: string) =>
  [
    ['invitations', `/surveys/${id}/invitations`, 'Invitations', 'editor'],
    ['batches', `/surveys/${id}/batches`, 'Batches', 'editor'],
    ['api-trigger', `/surveys/${id}/api-trigger`, 'API trigger', 'editor'],
    ['results', `/surveys/${id}/results`, 'Results', 'viewer'],
    ['questions', `/surveys/${id}/questions`, 'Questions', 'editor'],
    ['settings', `/surveys/${id}/settings`, 'Settings', 'editor'],
  ] as const satisfies Link[];

export interface FrameParts {
  readonly title: string;
  readonly workspace?: Pick<OwnWorkspace, 'id' | 'name' | 'role'>;
  readonly survey?: SurveyFrame;
  /** The page's entry in the sidebar, or in the survey's tabs. */
  readonly tab?: ReturnType<typeof sidebar | typeof surveyTabs>[number][0];
  /** The level between the tab and this page. */
  readonly above?: Level | undefined;
  /** Style sheets in addition to the console's. */
  readonly styles?: readonly string[];
  /** Actions in the header, before the survey's actions. */
  readonly actions?: Html | false | undefined;
}

/** @param refused Whether the page shows why its form was refused. */
export function framePage(page: PageContext, parts: FrameParts, main: Html, refused = false): string {
  const { title, survey, tab, above, actions } = parts;
  const workspace = survey ? { id: survey.workspaceId, name: survey.workspaceName, role: survey.role } : parts.workspace;
  const tabs = survey ? visible(surveyTabs(survey.surveyId), survey.role) : [];
  const [only, ...others] = page.me.workspaces;
  const place = workspace ?? (others.length === 0 ? only : undefined);
  const entries = place ? visible(sidebar(place.id), place.role) : [];
  const [, path, label] = [...tabs, ...entries].find(([name]) => name === tab) ?? [];
  const levels: Level[] = [
    ...(survey && workspace
      ? [[`/workspaces/${workspace.id}`, 'Surveys'] as const, [tabs[0]?.[1] ?? '', survey.title] as const]
      : []),
    ...(path !== undefined && label !== undefined && label !== title ? [[path, label] as const] : []),
    ...(above ? [above] : []),
  ];
  return html`<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${refused && 'Error: '}${[title, survey?.title, workspace?.name].filter(Boolean).join(' · ')}</title>
${['console.css', ...(parts.styles ?? [])].map(
  (name) => html`<link rel="stylesheet" href="${asset(name)}">
`,
)}<script src="${asset('console.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${side(page, workspace, survey ? entries.map(link('surveys', 'true')) : entries.map(link(tab)))}
<main id="main" tabindex="-1">
${levels.length > 0 && trail(levels, title)}
${workspace && html`<div class="head"><h1>${survey?.title ?? title}</h1>${survey && (survey.isBeingDeleted ? status('being deleted', 'bad') : stateStatus(survey.state))}${(actions || survey) && html`<div class="actions">${actions}${survey && surveyActions(survey)}</div>`}</div>`}
${tabs.length > 0 && html`<nav aria-label="Survey" class="tabs">${tabs.map(link(tab))}</nav>`}
${page.flash && notice('good', FLASHES[page.flash])}
${survey?.isBeingDeleted && notice('warn', 'This survey is being deleted with all its invitations and responses.')}
${survey && (label === title || AFTER_STEPS.includes(title)) && nextStep(survey, title)}
${main}
</main>
</body>
</html>
`.toString();
}

const visible = <L extends Link>(links: readonly L[], role: Role): L[] => links.filter(([, , , min]) => isAtLeast(role, min));

/** @param kind `true`: the current page is below this link. */
const link =
  (current: string | undefined, kind: 'page' | 'true' = 'page') =>
  ([name, path, label]: Link): Html =>
    html`<a href="${path}"${name === current && html` aria-current="${kind}"`}>${label}</a>`;

const trail = (above: readonly Level[], title: string): Html =>
  html`<nav aria-label="Breadcrumb" class="trail"><ol>${above.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}<li aria-current="page">${title}</li></ol></nav>`;

/** Titles of pages, other than tabs, where a step is done. */
const AFTER_STEPS: readonly string[] = ['Token created', 'Send a test'];

/** The next step, until the first request is accepted. The page where the step is done doesn't show it. */
function nextStep({ surveyId, nextStep: step, isBeingDeleted }: SurveyFrame, title: string): Html | '' {
  if (step === null || isBeingDeleted) return '';
  const { label, path, page } = FIRST_STEPS[step];
  return title === page
    ? ''
    : html`<p class="next"><strong>Next:</strong> <a href="/surveys/${surveyId}/${path}">${label}</a></p>`;
}

const STATE_ACTIONS = { active: 'Activate survey…', closed: 'Close survey…', draft: 'Return to draft…' } as const;

function surveyActions({ surveyId, state, role, pausedAt, isBeingDeleted }: SurveyFrame): Html | false {
  const path = `/surveys/${surveyId}`;
  const change = (to: keyof typeof STATE_ACTIONS, button = false) =>
    to !== state && html`<a${button && html` class="button"`} href="${path}/invitations?confirm=${to}">${STATE_ACTIONS[to]}</a>`;
  return (
    !isBeingDeleted &&
    isAtLeast(role, 'editor') &&
    html`<a class="button quiet" href="${path}/test-invitation">Send a test</a>${change('active', true)}${menu('survey', [state !== 'draft' && html`<a href="${path}/invitations?confirm=remind">Remind now…</a>`, change('closed'), change('draft'), isAtLeast(role, 'admin') && html`<a href="${path}/sending">${pausedAt === null ? 'Pause sending…' : 'Resume sending…'}</a>`])}`
  );
}

function side({ me, csrf }: PageContext, workspace: FrameParts['workspace'], entries: readonly Html[]): Html {
  const mark = (name: string) =>
    html`<span class="mark" aria-hidden="true">${initials(name)}</span><span class="of" title="${name}">${name}</span>`;
  const other = ({ id, name }: OwnWorkspace) =>
    html`<a href="/workspaces/${id}"${id === workspace?.id && html` aria-current="true"`}>${name}</a>`;
  return html`<header class="side">
${
  me.workspaces.length > 1
    ? html`<details class="menu switcher" name="menu"><summary><span class="hidden">Workspace: </span>${mark(workspace?.name ?? 'Workspaces')}</summary><div>${me.workspaces.map(other)}</div></details>`
    : html`<a class="home" href="/">${mark(me.workspaces[0]?.name ?? 'Surveys')}</a>`
}
${entries.length > 0 && html`<nav aria-label="Workspace">${entries}</nav>`}
<div class="account"><span>${me.email}</span>
<a href="/sessions">Your sessions</a>
<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet" type="submit">Sign out</button></form></div>
</header>`;
}

const initials = (name: string): string =>
  name
    .split(/\s+/, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
