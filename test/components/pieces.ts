// The pieces of the console's pages in all their states, made by the functions that the pages call.

import { examplesPart } from '../../src/console/api-trigger/examples-view.ts';
import {
  ago,
  checkbox,
  confirmation,
  empty,
  ended,
  facts,
  field,
  figures,
  form,
  formSection,
  fullMoment,
  type Kind,
  menu,
  moment,
  NONE,
  notice,
  pager,
  refusal,
  segments,
  stateStatus,
  status,
  table,
} from '../../src/console/components.ts';
import { firstSteps } from '../../src/console/first-steps.ts';
import { FLASHES } from '../../src/console/flashes.ts';
import { attentionPart } from '../../src/console/workspace/attention-view.ts';
import { type Html, html } from '../../src/html/html.ts';
import { formatNumber } from '../../src/text.ts';
import { NOW, SURVEY, WORKSPACE } from './frames.ts';
import { resultPieces } from './result-pieces.ts';
import { ADDRESS, ARABIC, MILLIONS, SCRIPTS, TITLE, UNBROKEN } from './texts.ts';

/** A form that is sent there gets no answer. */
export const WAITING = '/waiting';

export interface Piece {
  readonly title: string;
  /** Where its function is, below src/. */
  readonly file: string;
  /** By the state's name. `hover` and `focus` show each control of it so (see page.ts). */
  readonly states: Readonly<Record<string, Html | string | false>>;
}

const PARTS = 'console/components.ts';
const KINDS: readonly Kind[] = ['good', 'info', 'warn', 'bad', 'off', 'plain'];

const buttons = html`<p class="actions"><button type="button">Save</button> <a class="button" href="#">Invite people</a> <button type="button" class="quiet">Show</button> <a class="button quiet" href="#">Cancel</a> <button type="button" class="danger">Delete the survey</button> <a class="button quiet danger" href="#">Delete…</a></p>`;

const buttonPiece: Piece = {
  title: 'Buttons',
  file: PARTS,
  states: {
    plain: buttons,
    hover: buttons,
    focus: buttons,
    disabled: html`<p class="actions"><button type="button" disabled>Save</button> <button type="button" class="quiet" disabled>Move up</button></p>`,
    'being submitted: press one': form(
      'csrf',
      html`<p class="actions"><button type="submit">Save</button> <button type="submit" class="quiet">Show</button></p>`,
      { action: WAITING },
    ),
    'long text': html`<p class="actions"><button type="button">${TITLE}</button> <a class="button quiet" href="#">${ARABIC}</a></p>`,
  },
};

const CHOICES = ['Fjord Outdoor', TITLE, ARABIC] as const;

function fields(prefix: string, value: string, error?: string): Html {
  const of = (name: string) => ({ name: `${prefix}-${name}`, value, error });
  return html`${field({ ...of('text'), label: 'Name', hint: 'The system that will use it, e.g. Order system.' })}
${field({ ...of('area'), label: 'Message', rows: 3 })}
${field({ ...of('choice'), label: 'Language', options: CHOICES })}`;
}

const fieldPiece: Piece = {
  title: 'Fields',
  file: PARTS,
  states: {
    empty: fields('empty', ''),
    hover: fields('hover', 'Order system'),
    focus: fields('focus', 'Order system'),
    disabled: field({ name: 'disabled', label: 'Name', value: 'Order system', more: html` disabled` }),
    error: fields('error', 'x', 'Enter a name of at most 255 characters.'),
    'long text': fields('long', TITLE, TITLE),
    'right to left': fields('rtl', ARABIC),
    'a date, a number, a choice of many': html`<div class="bar">${field({ name: 'day', label: 'Day', type: 'date', value: '2026-11-22' })}${field({ name: 'limit', label: 'At most', type: 'number', value: String(MILLIONS) })}<button type="button" class="quiet">Apply</button></div>`,
    checkboxes: html`${checkbox('checked', 'Required', true)}${checkbox('unchecked', TITLE, false, 'Only if it asks how likely a recommendation is.')}${checkbox('refused', 'I have read this', false, undefined, 'Check this to go on.')}`,
    options: html`<fieldset class="options"><legend>Who gets it</legend><label><input type="radio" name="who" value="a" checked> Everybody</label><label><input type="radio" name="who" value="b"> ${TITLE}</label></fieldset>`,
    columns: html`<fieldset class="columns"><legend class="hidden">Columns</legend>${['Email', 'Name', UNBROKEN].map((label, index) => field({ name: `column${index}`, label, options: CHOICES }))}</fieldset>`,
  },
};

const statusPiece: Piece = {
  title: 'States and tags',
  file: PARTS,
  states: {
    plain: html`<p class="list">${KINDS.map((kind) => status(kind, kind))}</p>`,
    counted: html`<p class="list">${KINDS.map((kind) => status(kind, kind, { count: MILLIONS, href: '#' }))}</p>`,
    hover: html`<p class="list">${status('sent', 'good', { count: 8, href: '#' })}</p>`,
    focus: html`<p class="list">${status('sent', 'good', { count: 8, href: '#' })}</p>`,
    'of surveys': html`<p class="list">${(['active', 'draft', 'closed'] as const).map(stateStatus)}</p>`,
    tags: html`<p class="list"><span class="tag">test</span>${[TITLE, ARABIC].map((name) => html`<span class="tag"><b dir="auto">${name}</b> <a href="#">Remove</a></span>`)}</p>`,
    segments: segments(
      'Which',
      ['All', 'With comment', TITLE, ARABIC].map((content, index) => ({ href: '#', content, current: index === 1 })),
    ),
    nothing: html`<p>${NONE}</p>`,
  },
};

const times: Piece = {
  title: 'Times',
  file: PARTS,
  states: {
    exact: moment(new Date('2026-11-22T14:05:00Z'), NOW),
    'how long ago': ago(new Date('2026-11-22T14:05:00Z'), NOW),
    both: fullMoment(new Date('2026-11-22T14:05:00Z'), NOW),
    never: moment(null, NOW),
  },
};

const noticePiece: Piece = {
  title: 'Messages',
  file: PARTS,
  states: {
    'what a form did': notice('good', FLASHES.settings_saved),
    'needs attention': notice(
      'warn',
      html`<strong>Sending is paused</strong> since ${moment(NOW, NOW)}. <a href="#">Resume…</a>`,
    ),
    refused: refusal('This survey has another title meanwhile.'),
    'long text': html`${notice('good', TITLE)}${notice('warn', UNBROKEN)}`,
    'right to left': notice('warn', html`<span dir="auto">${ARABIC}</span>`),
    empty: empty('No surveys yet', 'Surveys appear here when an editor or your product creates them.'),
    'empty, long text': empty(TITLE, html`<a href="#">${UNBROKEN}</a>`),
    'the end of a list': ended('responses'),
  },
};

const factPiece: Piece = {
  title: 'Cards, facts and figures',
  file: PARTS,
  states: {
    facts: html`<div class="card panel">${facts([
      ['Sent', fullMoment(NOW, NOW)],
      ['Recipient', ADDRESS],
      ['Responses', MILLIONS],
      [TITLE, UNBROKEN],
      ['Comment', html`<span dir="auto">${ARABIC}</span>`, 'wide'],
    ])}</div>`,
    figures: figures([
      { name: 'Responses', value: formatNumber(MILLIONS), note: `${formatNumber(MILLIONS)} by invitation, 0 direct`, href: '#' },
      { name: 'Response rate', value: '23%', note: '2,987 of 12,986 invitations that were sent at least three days ago' },
      { name: TITLE, value: '−100', note: UNBROKEN },
      { name: 'None', value: '–' },
    ]),
    'one figure': figures([{ name: 'NPS', value: '0' }]),
    'needs attention': attentionPart(
      (['low_scores', 'emails_failed', 'rate_fell', 'survey_closing', 'links_expiring', 'sending_paused'] as const).map(
        (kind, index) => ({
          ...{ kind, survey_id: SURVEY.surveyId, title: [TITLE, ARABIC, UNBROKEN][index % 3] ?? null, number: MILLIONS },
          ...{ at: NOW.toISOString(), detail: { scope: 'survey', below: 7, rate: 0.1, before: 0.23 } },
        }),
      ),
      { workspaceId: WORKSPACE.id, role: 'owner', zone: 'Europe/Vienna' },
    ),
    'first steps': firstSteps(WORKSPACE, { ...SURVEY, missingSteps: ['activate', 'invite'] }),
    'a form beside its help': formSection(
      'two',
      'Cooldown',
      ['The minimum wait between two requests.', TITLE],
      form(
        'csrf',
        html`${field({ name: 'cooldown', label: 'Seconds', value: '60' })}<p class="actions"><button type="submit">Save</button></p>`,
      ),
    ),
  },
};

const rows = (of: string): Html =>
  table(
    `Invitations ${of}`,
    ['Recipient', ['Survey', 'text'], 'State', ['Responses', 'number'], ['Sent', 'time'], ['Actions', 'menu']],
    [ADDRESS, UNBROKEN, ...SCRIPTS].map((name, index) => [
      html`<a href="#" dir="auto">${name}</a><span class="sub" dir="auto">${index === 1 ? TITLE : `Batch ${MILLIONS}`}</span>`,
      html`<a href="#">${[TITLE, ARABIC][index % 2]}</a>`,
      index === 2 ? NONE : status('sent', 'good', { count: MILLIONS, href: '#' }),
      MILLIONS,
      moment(NOW, NOW),
      menu(`${name}`, [html`<a href="#">Send again</a>`, html`<a class="danger" href="#">${TITLE}</a>`]),
    ]),
  );

const tablePiece: Piece = {
  title: 'Tables, menus and pages of a list',
  file: PARTS,
  states: {
    plain: rows('in all scripts'),
    hover: rows('under the mouse'),
    'one row': table('One', ['Workspace', 'Your role'], [[html`<a href="#">Fjord Outdoor</a>`, 'owner']]),
    'pages of a list': pager('invitations', '#', '#'),
  },
};

const questionPiece: Piece = {
  title: 'A question before an act',
  file: PARTS,
  states: {
    dangerous: confirmation('csrf', {
      title: `Delete “${TITLE}”?`,
      content: html`<p>${formatNumber(MILLIONS)} responses are deleted with it. This can't be undone.</p><ul><li>${UNBROKEN}</li></ul>`,
      button: 'Delete the survey',
      danger: true,
      keep: ['#', 'Keep it'],
    }),
  },
};

const amounts: Piece = {
  title: 'Amounts',
  file: 'console/sending/guard-view.ts',
  states: {
    progress: html`<p><progress max="100" value="23" aria-label="Sent"></progress> ${formatNumber(MILLIONS)} of 5,000,000</p>`,
    meter: html`${[0, 0.5, 1].map((value) => html`<meter value="${value}" aria-label="Of the limit"></meter><br>`)}`,
  },
};

const code: Piece = {
  title: 'Code to copy',
  file: 'console/api-trigger/examples-view.ts',
  states: { plain: examplesPart('https://surveys.example/api/v1/trigger', false) },
};

export const PIECES: readonly Piece[] = [
  buttonPiece,
  fieldPiece,
  statusPiece,
  times,
  noticePiece,
  factPiece,
  tablePiece,
  questionPiece,
  amounts,
  code,
  ...resultPieces,
];
