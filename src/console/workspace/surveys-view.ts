// A member's workspaces, and a workspace's surveys.
import { isAtLeast, type OwnWorkspace, STATUSES, type SurveyCard } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { type Column, clockTime, empty, ended, moment, NONE, pager, stateStatus, status, table } from '../components.ts';
import { countUpTo, invitationStatus } from '../invitations/parts-view.ts';
import { HOLD_REASONS } from '../words.ts';

export const workspacesMain = (workspaces: readonly OwnWorkspace[]): Html =>
  workspaces.length === 0
    ? html`<h1>Your workspaces</h1>${empty('No workspaces yet', 'Ask a workspace owner to add your email address.')}`
    : html`<div class="head"><h1>Your workspaces</h1></div>
${table(
  'Your workspaces',
  ['Workspace', 'Your role'],
  workspaces.map(({ id, name, role, test }) => [
    html`<a href="/workspaces/${id}">${name}</a>${test && html` <span class="tag">test</span><span class="sub">${id}, at ${clockTime(new Date(test.now))}</span>`}`,
    role,
  ]),
)}`;

/** @param steps The steps to the first invitation. */
export function surveysMain(
  surveys: readonly SurveyCard[],
  { role }: Pick<OwnWorkspace, 'role'>,
  now: Date,
  steps: Html | false | null | undefined | '',
  { paged, pageSize }: { readonly paged: boolean; readonly pageSize: number },
): Html {
  if (surveys.length === 0 && paged) return html`${ended('surveys')}${pager('surveys', '?', undefined)}`;
  if (surveys.length === 0)
    return html`${steps || empty('No surveys yet', 'Surveys appear here when an editor or your product creates them.')}`;
  const full = isAtLeast(role, 'editor');
  const columns: Column[] = [
    'Survey',
    'State',
    ...(full ? ['Invitations'] : []),
    ['Responses', 'number'],
    ['Response rate', 'number'],
  ];
  return html`${steps}${table(
    'Surveys',
    columns,
    surveys.map((survey) => [
      html`<a href="/surveys/${survey.surveyId}/results">${survey.title}</a>`,
      survey.isBeingDeleted
        ? status('being deleted', 'bad')
        : html`${stateStatus(survey.state)}${survey.holdReason && survey.state === 'active' && html`<span class="sub">On hold: ${HOLD_REASONS[survey.holdReason]}</span>`}`,
      ...(full ? [html`${counts(survey)}${putOff(survey, now)}`] : []),
      html`<a href="/surveys/${survey.surveyId}/results">${formatNumber(survey.responses)}</a>`,
      rate(survey),
    ]),
  )}
<p class="note">Response rate: how many of the invitations that were sent at least three days ago, and didn’t bounce, have a response. Younger ones are in neither number.</p>
${pager('surveys', paged ? '?' : undefined, surveys.length === pageSize ? `?before=${surveys.at(-1)?.surveyId}` : undefined)}`;
}

function counts({ surveyId, sent, unsent }: SurveyCard): Html {
  const number = { ...unsent, sent };
  const shown = STATUSES.filter((status) => number[status]);
  if (shown.length === 0) return NONE;
  return html`<span class="list">${shown.map((status) =>
    invitationStatus(
      status,
      status === 'sent' ? formatNumber(sent) : countUpTo(number[status] ?? 0),
      `/surveys/${surveyId}/invitations`,
    ),
  )}</span>`;
}

const PUT_OFF = { resting: ['rest', 'until'], outside_hours: ['wait', 'for'], capped: ['wait', 'until'] } as const;

/** For example `12 rest until Dec 3, 08:00`, or with several times `12 rest, the first until …`. */
const putOff = ({ surveyId, putOff }: SurveyCard, now: Date): Html[] =>
  (Object.keys(PUT_OFF) as (keyof typeof PUT_OFF)[]).flatMap((rule) => {
    const found = putOff?.[rule];
    if (found === undefined) return [];
    const [verb, until] = PUT_OFF[rule];
    const first = found.first_at === found.last_at ? '' : found.number > 1 && ', the first';
    return [
      html`<span class="sub"><a href="/surveys/${surveyId}/invitations?delayed=yes">${countUpTo(found.number)} ${verb}${found.number === 1 && 's'}</a>${first} ${until} ${moment(new Date(found.first_at), now)}</span>`,
    ];
  });

function rate({ sent, invited, responded }: SurveyCard): Html {
  if (invited > 0) return html`${Math.round((100 * responded) / invited)}%<span class="sub">of ${formatNumber(invited)}</span>`;
  return sent > 0 ? html`${NONE}<span class="sub">after three days</span>` : NONE;
}
