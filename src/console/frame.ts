// The frame of every page: a sidebar, a header with title, state and actions, and one row of tabs. Pure.
import { isAtLeast, type OwnWorkspace, type Role, type SurveyFrame, type Visitor } from '../database/store.ts';
import { asset } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import { clockTime, flashNotice, menu, moment, notice, stateStatus, status } from './components.ts';
import { byProduct, FIRST_STEPS, nextStepOf } from './first-steps.ts';
import { FLASHES, type FlashCode } from './flashes.ts';
import { actorName } from './words.ts';

export interface PageContext {
  readonly me: Visitor;
  readonly csrf: string;
  /** What time it is on the page: in a test workspace what its clock says. */
  readonly now: Date;
  /** For what happens in real time in a test workspace too: its members, audit log, webhooks and pauses. */
  readonly realNow: Date;
  /** Whether its workspace is a test. */
  readonly isTest: boolean;
  readonly flash: FlashCode | undefined;
}

type Level = readonly [path: string, label: string];
export type Link = readonly [name: string, path: string, label: string, minRole: Role];

/** Pages of a workspace that stand in the sidebar under one name. If there are several, each has them as tabs. */
type Section = readonly [label: string, pages: readonly Link[]];

/** The pages of a workspace. Add a line here for a new page. */
const sections = (id: string, isTest: boolean) =>
  [
    ['Surveys', [['surveys', `/workspaces/${id}`, 'Surveys', 'viewer']]],
    ['Responses', [['responses', `/workspaces/${id}/responses`, 'Responses', 'viewer']]],
    [
      'People',
      [
        ['recipients', `/workspaces/${id}/recipients`, 'People', 'editor'],
        ['do-not-email', `/workspaces/${id}/do-not-email`, 'Do-not-email list', 'editor'],
      ],
    ],
    ...(isTest
      ? ([
          ['Test clock', [['clock', `/workspaces/${id}/clock`, 'Test clock', 'editor']]],
          ['Outbox', [['outbox', `/workspaces/${id}/outbox`, 'Outbox', 'editor']]],
        ] as const)
      : []),
    [
      'Settings',
      [
        ['sending', `/workspaces/${id}/sending`, 'Sending', 'admin'],
        ['sender', `/workspaces/${id}/sender`, 'Sender', 'admin'],
        ['wording', `/workspaces/${id}/wording`, 'Wording', 'admin'],
        ['rules', `/workspaces/${id}/rules`, 'When emails leave', 'admin'],
        ['webhooks', `/workspaces/${id}/webhooks`, 'Webhooks', 'admin'],
        ['members', `/workspaces/${id}/members`, 'Members', 'admin'],
        ['settings', `/workspaces/${id}/settings`, 'Workspace', 'admin'],
        ['audit', `/workspaces/${id}/audit`, 'Audit log', 'admin'],
      ],
    ],
  ] as const satisfies Section[];

/** The person's own pages, in the account menu. */
const ownPages = (id: string | undefined) =>
  [
    ['sessions', '/sessions', 'Your sessions', 'viewer'],
    ...(id === undefined ? [] : ([['notifications', `/workspaces/${id}/notifications`, 'Notifications', 'viewer']] as const)),
  ] as const satisfies Link[];

/** The tabs of a survey. Add a line here for a new tab. */
const surveyTabs = (id: string) =>
  [
    ['results', `/surveys/${id}/results`, 'Results', 'viewer'],
    ['invitations', `/surveys/${id}/invitations`, 'Invitations', 'editor'],
    ['batches', `/surveys/${id}/batches`, 'Batches', 'editor'],
    ['api-trigger', `/surveys/${id}/api-trigger`, 'API trigger', 'editor'],
    ['notifications', `/surveys/${id}/notifications`, 'Notifications', 'viewer'],
    ['questions', `/surveys/${id}/questions`, 'Questions', 'editor'],
    ['settings', `/surveys/${id}/settings`, 'Settings', 'editor'],
  ] as const satisfies Link[];

const sectionsFor = ({ id, test, role }: Pick<OwnWorkspace, 'id' | 'test' | 'role'>): Section[] =>
  sections(id, test !== null)
    .map(([label, pages]): Section => [label, visible<Link>(pages, role)])
    .filter(([, pages]) => pages.length > 0);

/** All pages of a workspace that a member may see. */
export const pagesOf = (workspace: Pick<OwnWorkspace, 'id' | 'test' | 'role'>): Link[] => [
  ...sectionsFor(workspace).flatMap(([, pages]) => pages),
  ...ownPages(workspace.id),
];

export interface FrameParts {
  readonly title: string;
  readonly workspace?: Omit<OwnWorkspace, 'home'>;
  readonly survey?: SurveyFrame;
  /** The page's entry in the sidebar, or in the survey's tabs. */
  readonly tab?:
    | ReturnType<typeof sections>[number][1][number][0]
    | ReturnType<typeof ownPages | typeof surveyTabs>[number][0]
    | 'search';
  /** The level between the tab and this page. */
  readonly above?: Level | undefined;
  /** Actions in the header, before the survey's actions. */
  readonly actions?: Html | false | undefined;
  /** Whether the next right step is a button of the page, so that none in the header stands out. */
  readonly hasNext?: boolean;
}

export const documentHead = (title: string): Html => html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="preload" href="${asset('inter.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${asset('console.css')}">
<script src="${asset('console.js')}" defer></script>
</head>`;

/** @param refused Whether the page shows why its form was refused. */
export function framePage(page: PageContext, parts: FrameParts, main: Html, refused = false): string {
  const { title, survey, tab, above, actions, hasNext } = parts;
  const workspace = survey ? workspaceOf(page, survey) : parts.workspace;
  const place = workspace ?? onlyWorkspace(page.me);
  const entries = place ? sectionsFor(place) : [];
  // Those of a survey have names that pages of a workspace have, too.
  const current = survey ? 'surveys' : tab;
  const [name, section = []] = (workspace && entries.find(([, pages]) => pages.some(([name]) => name === current))) ?? [];
  const tabs = survey ? visible(surveyTabs(survey.surveyId), survey.role) : section.length > 1 ? section : [];
  const own = ownPages(place?.id);
  const [, path, label] = [...tabs, ...section, ...own].find(([name]) => name === tab) ?? [];
  const levels: Level[] = [
    ...(survey && workspace
      ? [[`/workspaces/${workspace.id}`, 'Surveys'] as const, [tabs[0]?.[1] ?? '', survey.title] as const]
      : []),
    ...(path !== undefined && label !== undefined && label !== title ? [[path, label] as const] : []),
    ...(above ? [above] : []),
  ];
  return html`<!DOCTYPE html>
<html lang="en" dir="ltr"${page.isTest && html` data-now="${page.now.toISOString()}"`}>
${documentHead(`${refused ? 'Error: ' : ''}${[title, survey?.title, workspace && nameOf(workspace)].filter(Boolean).join(' · ')}`)}
<body>
<a class="skip" href="#main">Skip to content</a>
${side(page, workspace, place && finder(place, tab), entries.map(entry(current, survey !== undefined)), own.map(link(survey ? undefined : tab)))}
<main id="main" tabindex="-1">
${pauseBar(page, parts, place)}
${workspace?.test && testBanner(workspace, tab)}
${levels.length > 0 && trail(levels, title, label === title)}
${workspace && html`<div class="head"><h1${survey && html` title="${survey.title}"`}>${survey?.title ?? title}</h1>${survey && (survey.isBeingDeleted ? status('being deleted', 'bad') : stateStatus(survey.state))}${(actions || survey) && html`<div class="actions">${actions}${survey && surveyActions(survey, page.isTest, hasNext)}</div>`}</div>`}
${tabs.length > 0 && html`<nav aria-label="${survey ? 'Survey' : name}" class="tabs">${tabs.map(link(tab, 'page', survey?.hasDraft))}</nav>`}
${page.flash && flashNotice(FLASHES[page.flash])}
${survey?.isBeingDeleted && notice('warn', 'This survey is being deleted with all its invitations and responses.')}
${survey && (label === title || AFTER_STEPS.includes(title)) && nextStep(survey, title)}
${main}
</main>
</body>
</html>
`.toString();
}

/** The workspace of a survey, with what the page that shows it has read. */
const workspaceOf = (
  { me }: PageContext,
  { workspaceId: id, workspaceName: name, role }: SurveyFrame,
): FrameParts['workspace'] => ({
  ...{ test: null, pause: null },
  ...me.workspaces.find((workspace) => workspace.id === id),
  ...{ id, name, role },
});

/** The only workspace of a person, apart from its tests. Undefined: there are several, or none. */
export function onlyWorkspace({ workspaces }: Visitor): OwnWorkspace | undefined {
  const real = workspaces.filter(({ test }) => test === null);
  const [only, ...others] = real.length > 0 ? real : workspaces;
  return others.length === 0 ? only : undefined;
}

/** With a mark, because a test workspace has the name of its real one at first. */
export const nameOf = ({ name, test }: Pick<OwnWorkspace, 'name' | 'test'>): string => (test === null ? name : `${name} (test)`);

/** On each page of a test workspace. In UTC, as its clock is set. */
function testBanner({ id, role, test }: Omit<OwnWorkspace, 'home'>, tab: FrameParts['tab']): Html | false {
  if (test === null) return false;
  const move = isAtLeast(role, 'editor') && tab !== 'clock' && html` <a href="/workspaces/${id}/clock">Move its clock</a>`;
  return html`<div class="notice-line test" role="note">Test workspace of ${test.name}. Its clock says <strong>${clockTime(new Date(test.now))}</strong>. No invitation leaves it.${move}</div>`;
}

const visible = <L extends Link>(links: readonly L[], role: Role): L[] => links.filter(([, , , min]) => isAtLeast(role, min));

/**
 * @param kind `true`: the current page is below this link.
 * @param hasDraft Whether changes of the questions aren't published.
 */
const link =
  (current: string | undefined, kind: 'page' | 'true' = 'page', hasDraft = false) =>
  ([name, path, label]: Link): Html =>
    html`<a href="${path}"${name === current && html` aria-current="${kind}"`}>${label}${hasDraft && name === 'questions' && html`<span class="has-draft" title="Unpublished changes"><span class="hidden"> (unpublished changes)</span></span>`}</a>`;

/** A section leads to its first page. */
const entry =
  (current: string | undefined, isBelow: boolean) =>
  ([label, pages]: Section): Html => {
    const here = pages.find(([name]) => name === current);
    return html`<a href="${pages[0]?.[1]}"${here && html` aria-current="${isBelow || here !== pages[0] ? 'true' : 'page'}"`}>${label}</a>`;
  };

/** What pauses email, on each page but those that say more about it. */
function pauseBar(
  { realNow: now }: PageContext,
  { tab, title, survey }: FrameParts,
  place: FrameParts['workspace'],
): Html | false {
  const isAdmin = place !== undefined && isAtLeast(place.role, 'admin');
  const bar = (what: string, at: Date, by: string | null | undefined, path: string, action: string) =>
    notice(
      'warn',
      html`<strong>Sending is paused${what}.</strong> Emails that come due wait. Paused ${moment(at, now)}${by && html`, by ${actorName(by)}`}.${isAdmin && html` <a href="${path}">${action}</a>`}`,
    );
  if (place?.pause && (survey || tab !== 'sending')) {
    const { scope, at, by } = place.pause;
    const [what, page, action] = SCOPES[scope];
    return bar(what, new Date(at), by, `/workspaces/${place.id}/${page}`, action);
  }
  if (!survey?.pausedAt || title === 'Sending') return false;
  return bar(' for this survey', survey.pausedAt, survey.pausedBy, `/surveys/${survey.surveyId}/sending`, 'Resume…');
}

const SCOPES = {
  service: [' for everyone', 'sending', 'See what waits'],
  guard: [": too much of this workspace's email bounced or was reported as spam", 'guard', 'See why, and release it'],
  workspace: ['', 'sending', 'Resume…'],
} as const satisfies Record<NonNullable<OwnWorkspace['pause']>['scope'], unknown>;

/** @param isTab Whether the tabs say it too. */
const trail = (above: readonly Level[], title: string, isTab: boolean): Html =>
  html`<nav aria-label="Breadcrumb" class="trail${isTab && ' desk'}"><ol>${above.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}<li aria-current="page">${title}</li></ol></nav>`;

/** Titles of pages, other than tabs, where a step is done. */
const AFTER_STEPS: readonly string[] = ['Token created', 'Send a test'];

/** The next step, until the survey has a response or its first request is accepted. The page where the step is done doesn't show it. */
function nextStep({ surveyId, missingSteps, isBeingDeleted }: SurveyFrame, title: string): Html | '' {
  const step = nextStepOf(missingSteps);
  if (step === undefined || isBeingDeleted) return '';
  const { label, path, page } = FIRST_STEPS[step];
  return title === page
    ? ''
    : html`<p class="next"><strong>Next:</strong> <a href="/surveys/${surveyId}/${path}">${label}</a>${byProduct(step, surveyId)}</p>`;
}

const STATE_ACTIONS = { active: 'Activate survey…', closed: 'Close survey…', draft: 'Return to draft…' } as const;

/** On a phone, the menu has all of them. */
function surveyActions(
  { surveyId, state, role, pausedAt, isBeingDeleted }: SurveyFrame,
  isTest: boolean,
  hasNext = false,
): Html | false {
  if (isBeingDeleted || !isAtLeast(role, 'editor')) return false;
  const path = `/surveys/${surveyId}`;
  const change = (to: keyof typeof STATE_ACTIONS) =>
    to === state ? [] : [[`${path}/invitations?confirm=${to}`, STATE_ACTIONS[to]] as const];
  const buttons: Level[] = [
    ...(isTest ? [] : [[`${path}/test-invitation`, 'Send a test'] as const]),
    [`${path}/invite`, 'Invite people'],
    ...change('active'),
  ];
  const more: Level[] = [
    ...(state === 'draft' ? [] : [[`${path}/invitations?confirm=remind`, 'Remind now…'] as const]),
    ...change('closed'),
    ...change('draft'),
    ...(isAtLeast(role, 'admin') ? [[`${path}/sending`, pausedAt === null ? 'Pause sending…' : 'Resume sending…'] as const] : []),
  ];
  const link =
    (kind: string) =>
    ([path, label]: Level) =>
      html`<a${kind && html` class="${kind}"`} href="${path}">${label}</a>`;
  return html`${buttons.map((level, index) => link(`button desk${hasNext || index + 1 < buttons.length ? ' quiet' : ''}`)(level))}${menu('survey', [...buttons.map(link('phone')), ...more.map(link(''))])}`;
}

/** Leads to the search; finder.js opens it in a dialog. */
const finder = ({ id, role }: Pick<OwnWorkspace, 'id' | 'role'>, tab: FrameParts['tab']): Html =>
  html`<a class="find" href="/workspaces/${id}/search" data-label="${isAtLeast(role, 'editor') ? 'Person, order, comment, survey or page' : 'Comment, survey or page'}"${tab === 'search' && html` aria-current="page"`}><span>Search</span></a><script src="${asset('finder.js')}" defer></script>`;

function side(
  { me, csrf }: PageContext,
  workspace: FrameParts['workspace'],
  find: Html | undefined,
  entries: readonly Html[],
  own: readonly Html[],
): Html {
  const mark = (name: string) =>
    html`<span class="mark" aria-hidden="true">${initials(name)}</span><span class="of" title="${name}">${name}</span>`;
  const other = (own: OwnWorkspace) =>
    html`<a href="/workspaces/${own.id}"${own.id === workspace?.id && html` aria-current="true"`}${own.test && html` title="${own.id}"`}>${nameOf(own)}</a>`;
  return html`<header class="side">
${
  me.workspaces.length > 1
    ? html`<details class="menu switcher" name="menu"><summary><span class="hidden">Workspace: </span>${mark(workspace ? nameOf(workspace) : 'Workspaces')}</summary><div>${me.workspaces.map(other)}</div></details>`
    : html`<a class="home" href="/">${mark(me.workspaces[0] ? nameOf(me.workspaces[0]) : 'Surveys')}</a>`
}
${find}
${entries.length > 0 && html`<nav aria-label="Workspace">${entries}</nav>`}
<details class="menu account" name="menu"><summary><span class="hidden">Account: </span>${mark(me.email)}</summary><div><p class="note">${me.email}</p>${own}<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet" type="submit">Sign out</button></form></div></details>
</header>`;
}

const initials = (name: string): string =>
  name
    .split(/\s+/, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
