// The frame of every page. Pure.
import { isAtLeast, type OwnWorkspace, type Role, type SurveyFrame, type Visitor } from '../database/store.ts';
import { asset } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import { stateBadge } from './components.ts';
import { FLASHES, type FlashCode } from './flashes.ts';

export interface PageContext {
  readonly me: Visitor;
  readonly csrf: string;
  readonly now: Date;
  readonly flash: FlashCode | undefined;
}

type Level = readonly [path: string, label: string];

export interface FrameParts {
  readonly title: string;
  readonly workspace?: Pick<OwnWorkspace, 'id' | 'name' | 'role'>;
  readonly survey?: SurveyFrame;
  readonly tab?: 'surveys' | 'members' | 'audit' | 'invitations' | 'api-trigger' | 'results';
  /** Between the tab and this page. */
  readonly above?: Level | undefined;
}

type Tab = readonly [name: NonNullable<FrameParts['tab']>, path: string, label: string, minRole: Role];

const workspaceTabs = (id: string): Tab[] => [
  ['surveys', `/workspaces/${id}`, 'Surveys', 'viewer'],
  ['members', `/workspaces/${id}/members`, 'Members', 'admin'],
  ['audit', `/workspaces/${id}/audit`, 'Audit log', 'admin'],
];

const surveyTabs = (id: string): Tab[] => [
  ['invitations', `/surveys/${id}/invitations`, 'Invitations', 'editor'],
  ['api-trigger', `/surveys/${id}/api-trigger`, 'API trigger', 'editor'],
  ['results', `/surveys/${id}/results`, 'Results', 'viewer'],
];

const STYLES: Record<string, readonly string[]> = {
  invitations: ['invitations', 'questions'],
  'api-trigger': ['api-trigger'],
  results: ['charts', 'results'],
};

export function framePage(page: PageContext, { title, workspace, survey, tab, above }: FrameParts, main: Html): string {
  const inside = survey ? { id: survey.workspaceId, name: survey.workspaceName } : workspace;
  const role = survey?.role ?? workspace?.role ?? 'viewer';
  const tabs = survey ? surveyTabs(survey.surveyId) : workspace ? workspaceTabs(workspace.id) : [];
  const heading = survey?.title ?? workspace?.name;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${[title, survey?.title, inside?.name].filter(Boolean).join(' · ')}</title>
${['style', 'console', 'components', ...(STYLES[tab ?? ''] ?? [])].map(
  (name) => html`<link rel="stylesheet" href="${asset(`${name}.css`)}">
`,
)}<script src="${asset('console.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${header(page, inside?.id)}
<main id="main">
${heading && tab !== 'surveys' && trail([...levels(inside, survey, role), ...tabs.filter(([name]) => name === tab).map(([, path, label]): Level => [path, label]), ...(above ? [above] : [])], title)}
${heading && html`<h1>${heading} ${survey && stateBadge(survey.state)}</h1>`}
${tabs.length > 0 && html`<nav aria-label="${survey ? 'Survey' : 'Workspace'}" class="tabs">${tabs.filter(([, , , minRole]) => isAtLeast(role, minRole)).map(tabLink(tab))}</nav>`}
${page.flash && html`<p class="flash good" role="status">${FLASHES[page.flash]}</p>`}
${main}
</main>
</body>
</html>
`.toString();
}

function levels(workspace: { id: string; name: string } | undefined, survey: SurveyFrame | undefined, role: Role): Level[] {
  const first = survey && surveyTabs(survey.surveyId).find(([, , , minRole]) => isAtLeast(role, minRole));
  return [
    ...(workspace ? [[`/workspaces/${workspace.id}`, workspace.name] as const] : []),
    ...(survey && first ? [[first[1], survey.title] as const] : []),
  ];
}

const trail = (above: readonly Level[], title: string): Html =>
  html`<nav aria-label="Breadcrumb" class="trail"><ol>${above
    .filter(([, label], index) => index < above.length - 1 || label !== title)
    .map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}<li aria-current="page">${title}</li></ol></nav>`;

const tabLink =
  (current: FrameParts['tab']) =>
  ([name, path, label]: Tab): Html =>
    html`<a href="${path}"${name === current && html` aria-current="page"`}>${label}</a>`;

function header({ me, csrf }: PageContext, current: string | undefined): Html {
  const name = me.workspaces.find(({ id }) => id === current)?.name ?? 'Workspaces';
  const link = ({ id, name }: OwnWorkspace) =>
    html`<li><a href="/workspaces/${id}"${id === current && html` aria-current="true"`}>${name}</a></li>`;
  return html`<header class="top">
${
  me.workspaces.length > 1
    ? html`<details class="switcher"><summary><span class="hidden">Workspace: </span>${name}</summary><ul>${me.workspaces.map(link)}</ul></details>`
    : html`<a class="home" href="/">${me.workspaces[0]?.name ?? 'Surveys'}</a>`
}
<div class="account"><span class="me">${me.email}</span>
<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet" type="submit">Sign out</button></form></div>
</header>`;
}
