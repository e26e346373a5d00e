// The editor of a survey's questions: the draft, how it differs from what is published, and the survey page as it would be.
import type { AskIf, Question, QuestionDraft, SurveyFrame, SurveySettings } from '../../database/store.ts';
import { asset } from '../../html/assets.ts';
import { type Html, html } from '../../html/html.ts';
import { THANKS_FIELDS, thanksField } from '../../recipient/thanks.ts';
import { canBeNps, GROUP_NAMES, groupsOf } from '../../score-groups.ts';
import { plural } from '../../text.ts';
import { checkbox, confirmation, empty, field, form, moment, notice, refusal } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { countUpTo } from '../invitations/parts-view.ts';
import { outdatedLanguages, withDraft } from '../translations/survey-texts.ts';
import { languageName } from '../words.ts';
import { conditionValue } from './condition.ts';
import { type Difference, differenceList, differencesOf } from './differences.ts';
import { conditionsFor, span } from './follow-up-field.ts';
import { missingNotes } from './missing-translations.ts';
import type { DraftField } from './question-errors.ts';
import { type Draft, kept } from './question-form.ts';
import { KIND_NAMES, KINDS, kindOf } from './question-kinds.ts';
import { previewPart } from './question-preview-view.ts';

export interface DraftError {
  /** The question's index, from 0. Undefined: the error is about no single question, and is shown above all of them. */
  readonly index?: number | undefined;
  readonly field?: DraftField;
  readonly text: string;
}

/** In place of a revision. */
export const NO_DRAFT = 'none';

/** The draft that somebody else has saved meanwhile. Null: it is gone, because it was published or discarded. */
export type Others = Pick<QuestionDraft, 'revision' | 'editedBy' | 'editedAt'> | null;

export interface Editing {
  readonly drafts: readonly Draft[];
  /** The index of the question that gets the focus. */
  readonly at?: number | undefined;
  readonly errors?: readonly DraftError[];
  /** The published version that is being edited. */
  readonly version: number;
  /** The revision of the draft that is being edited, or NO_DRAFT; after lost replies several, of which one is stored. */
  readonly revision: string;
  /** The revision that the form was to get which led to this page. */
  readonly received?: string | undefined;
  /** What others have saved since this form was shown: what it says isn't stored. */
  readonly others?: Others;
}

/** What is stored. */
export interface Edited {
  readonly survey: SurveyFrame;
  readonly settings: SurveySettings;
  readonly draft: QuestionDraft | undefined;
  /** Drafts in whose place others were put, the newest first. */
  readonly replaced: readonly QuestionDraft[];
}

export function questionsMain(page: PageContext, edited: Edited, editing: Editing): Html {
  const { survey, settings, draft } = edited;
  const { drafts, errors = [], version, revision, received, others } = editing;
  const general = errors.find(({ index }) => index === undefined);
  return html`${settings.publicUrl !== null && notice('warn', 'This survey has its own page, which doesn\u2019t show these questions. They name the answers in the Results.')}
${general && refusal(general.text)}
${draft !== undefined && draft.questionsVersion < settings.questionsVersion && notice('warn', 'Other questions were published since this draft was begun. The list of changes compares it with those, and publishing it replaces them.')}
${outdatedLanguages(withDraft(settings, survey, draft)).map(([language, texts]) =>
  notice(
    'warn',
    html`${plural(texts, 'text')} changed since the translation into ${languageName(language)}. People who read ${languageName(language)} still see the old one. <a href="/surveys/${survey.surveyId}/languages?language=${language}">Update the translation</a>`,
  ),
)}
<div class="composer">${form(
    page.csrf,
    html`<button class="hidden" type="submit" name="action" value="keep" tabindex="-1">Keep as a draft</button>
<input type="hidden" name="version" value="${version}"><input type="hidden" name="revision" value="${revision}"><input type="hidden" name="next"><input type="hidden" name="theirs" value="${others?.revision ?? ''}">
${conflictPart(page, survey, others)}
<input type="hidden" name="received" value="${received ?? ''}">
<div data-changes>${changesPart(page, edited, drafts)}</div>
${drafts.length === 0 ? empty('No questions yet', 'Add the first one below.') : drafts.map((draft, index) => (draft.removed ? removedPart(draft, index, editing) : questionPart(draft, index, editing)))}
<fieldset class="adding"><legend>Add a question</legend>
${KIND_NAMES.map((kind) => html`<button class="quiet" type="submit" name="action" value="add:${kind}">${KINDS[kind].name}</button> `)}</fieldset>
<p class="actions bottom"><button${!hasChanges(edited, drafts) && html` class="quiet"`} type="submit" name="action" value="publish">Publish</button> <button class="quiet keep" type="submit" name="action" value="keep">Keep as a draft</button> <span class="draft-state" role="status" data-state></span></p>`,
    { class: 'editor' },
  )}
${previewPart(
  survey,
  settings,
  kept(drafts).some(({ type }) => type === 'score'),
)}</div>
<script type="module" src="${asset('question-editor.js')}"></script>`;
}

/** Whether publishing is the next step. */
export const hasChanges = ({ settings }: Pick<Edited, 'settings'>, drafts: readonly Draft[]): boolean =>
  differencesOf(settings.questions, drafts).length > 0;

/** Who has changed the questions since the form was shown. question-editor.js shows it, too. */
function conflictPart({ me, now }: PageContext, { surveyId }: SurveyFrame, others: Others | undefined): Html {
  const who =
    others === undefined || others === null
      ? 'Somebody has published or discarded changes of these questions'
      : html`${others.editedBy === me.email ? 'You have' : html`<strong>${others.editedBy}</strong> has`} changed these questions, ${others.editedBy === me.email ? 'in another window, ' : ''}on ${moment(others.editedAt, now)},`;
  return html`<div class="notice-line bad" data-conflict${others === undefined ? html` hidden` : html` role="alert" tabindex="-1" autofocus`}><p><span data-who>${who}</span> since you opened them. What you typed is only in this window.</p>
<p class="actions"><button class="quiet" type="submit" name="action" value="takeover">Keep mine</button> <a class="button quiet" data-theirs href="/surveys/${surveyId}/questions">Show theirs</a></p>
<p class="hint">If you keep yours, theirs can still be put back.</p></div>`;
}

/** How the draft differs from what is published, and which of its texts aren't translated. question-editor.js shows it again after each change. */
export function changesPart({ now }: PageContext, { survey, settings, draft, replaced }: Edited, drafts: readonly Draft[]): Html {
  const differences = differencesOf(settings.questions, drafts);
  const path = `/surveys/${survey.surveyId}/questions`;
  const restore = ({ revision, editedBy, editedAt }: QuestionDraft) =>
    html`<p>A draft of ${editedBy}, ${moment(editedAt, now)}, was replaced. <button class="quiet" type="submit" name="action" value="restore:${revision}">Put it back<span class="hidden">: the draft of ${editedBy}</span></button></p>`;
  return html`${
    (draft !== undefined || differences.length > 0) &&
    html`<details class="changes notice-line warn"><summary>${differences.length === 0 ? 'No changes to publish' : `${plural(differences.length, 'unpublished change')}`}</summary>
${differenceList(differences)}
<p>People still see the published questions. <a class="discard" href="${path}?confirm=discard">Discard the changes…</a></p></details>`
  }${replaced.length > 0 && html`<div class="notice-line warn">${replaced.map(restore)}</div>`}${missingNotes(survey.surveyId, { ...settings, questions: kept(drafts) as Question[] })}`;
}

const removedPart = (draft: Draft, index: number, { at }: Editing): Html =>
  html`<section class="card panel removed" aria-labelledby="question-${index}"><div class="split"><h2 id="question-${index}">Removed: ${draft.label || 'a question without a text'}</h2><p class="actions"><button class="quiet" type="submit" name="action" value="back:${index}"${at === index && html` autofocus`}>Undo<span class="hidden"> the removal of question ${index + 1}</span></button></p></div>
<input type="hidden" name="removed-${index}" value="${JSON.stringify(draft)}"></section>`;

type OfField<T> = (part: DraftField) => T;

function scaleFields(draft: Draft, name: OfField<string>, errorOf: OfField<string | undefined>): Html {
  const number = html` inputmode="numeric" autocomplete="off"`;
  return html`${field({ name: name('min'), label: 'From', value: String(draft.min ?? 0), error: errorOf('min'), more: number })}
${endField(draft, 'min_label', 'Which means', name, errorOf)}
${field({ name: name('max'), label: 'To', value: String(draft.max ?? 10), error: errorOf('max'), more: number })}
${endField(draft, 'max_label', 'Which means', name, errorOf)}`;
}

const STARS = Array.from({ length: 8 }, (_, index) => [String(index + 3), String(index + 3)] as const);

const starFields = (draft: Draft, name: OfField<string>, errorOf: OfField<string | undefined>): Html =>
  html`${field({ name: name('max'), label: 'Stars', value: String(draft.max ?? 5), error: errorOf('max'), options: STARS })}
${endField(draft, 'min_label', 'One star means', name, errorOf)}
${endField(draft, 'max_label', 'All stars mean', name, errorOf)}`;

const endField = (
  draft: Draft,
  end: 'min_label' | 'max_label',
  label: string,
  name: OfField<string>,
  errorOf: OfField<string | undefined>,
): Html =>
  field({
    name: name(end),
    label,
    value: String(draft[end] ?? ''),
    error: errorOf(end),
    more: html` maxlength="100" autocomplete="off"`,
  });

/** The first score is asked for them. Another one may have them, too, if it was the first once. */
const hasThanks = (draft: Draft, drafts: readonly Draft[]): boolean =>
  kept(drafts).find(({ type }) => type === 'score') === draft || THANKS_FIELDS.some((field) => draft[field] !== undefined);

function thanksFields(draft: Draft, name: OfField<string>, errorOf: OfField<string | undefined>): Html {
  const groups = groupsOf(draft);
  const parts = GROUP_NAMES.map((group) => ({ group, part: thanksField(group), range: groups.get(group) }));
  const isOpen = parts.some(({ part }) => draft[part] !== undefined || errorOf(part) !== undefined);
  return html`<details${isOpen && html` open`}><summary>Thank-you text by score</summary>
<p class="hint">Where empty, people get the thank-you text of the settings.</p>
${parts
  .filter(({ part, range }) => range !== undefined || groups.size === 0 || draft[part] !== undefined)
  .map(({ group, part, range }) =>
    field({
      name: name(part),
      label: range === undefined ? `After a ${group} score` : `After ${span(...range)}`,
      value: String(draft[part] ?? ''),
      error: errorOf(part),
      rows: 3,
      more: html` maxlength="2000"`,
    }),
  )}</details>`;
}

const CHOICES_HINTS: Readonly<Record<string, string>> = {
  several: 'One on each line. People may choose more than one.',
  yes_no: 'One on each line. “Yes” and “No” are said in the language of the page, without a translation.',
};

function questionPart(draft: Draft, index: number, { drafts, at, errors = [] }: Editing): Html {
  const name = (part: string) => `${part}-${index}`;
  const { type, id, label } = draft;
  const kind = kindOf(draft);
  const errorOf = (part: DraftField) => errors.find((error) => error.index === index && error.field === part)?.text;
  const button = (action: string, text: string, off = false) =>
    html`<button class="quiet" type="submit" name="action" value="${action}:${index}"${off && html` disabled`}>${text}<span class="hidden"> question ${index + 1}</span></button>`;
  return html`<section class="card panel" aria-labelledby="${name('question')}"><div class="split"><h2 id="${name('question')}">${kept(drafts.slice(0, index)).length + 1}. ${KINDS[kind].name}</h2><p class="actions">${button('up', 'Move up', index === 0)}${button('down', 'Move down', index === drafts.length - 1)}${button('remove', 'Remove')}</p></div>
<input type="hidden" name="${name('id')}" value="${id}"><input type="hidden" name="${name('kind')}" value="${kind}">
${field({ name: name('label'), label: 'Question', value: label, error: errorOf('label'), more: html` maxlength="1000" autocomplete="off"${at === index && html` autofocus`}` })}
${type === 'choice' && field({ name: name('choices'), label: 'Choices', value: ((draft.choices ?? []) as readonly string[]).join('\n'), error: errorOf('choices'), rows: 5, hint: CHOICES_HINTS[kind] ?? 'One on each line' })}
${
  type === 'score' &&
  html`${kind === 'stars' ? starFields(draft, name, errorOf) : html`<div class="pair">${scaleFields(draft, name, errorOf)}</div>`}
${hasThanks(draft, drafts) && thanksFields(draft, name, errorOf)}
${kind !== 'stars' && html`<div data-nps${!canBeNps(draft) && html` hidden`}>${checkbox(name('nps'), 'Count as Net Promoter Score', draft.nps === true, 'Only if it asks how likely a recommendation is.')}</div>`}`
}
${type === 'text' && kept(drafts.slice(0, index)).some((other) => other.type !== 'text') && field({ name: name('ask_if'), label: 'Ask', value: draft.ask_if === undefined ? '' : conditionValue(draft.ask_if as AskIf), error: errorOf('ask_if'), options: conditionsFor(drafts, index) })}
${checkbox(name('required'), 'Required', draft.required === true)}
<p class="hint">Answers are stored as <code>${id}</code></p>
</section>`;
}

type Stored = Pick<Editing, 'version' | 'revision'>;

const storedFields = ({ version, revision }: Stored) => ({ version: String(version), revision });

/** Asks before publishing to people who have been asked the published questions. */
export const publishMain = (
  { csrf }: PageContext,
  { survey: { surveyId }, settings }: Edited,
  questions: readonly Question[],
  differences: readonly Difference[],
  stored: Stored,
): Html =>
  confirmation(csrf, {
    title: 'Publish these questions?',
    content: html`<p>${settings.responses === 0 ? 'The survey is open, but nobody has responded yet.' : `The survey has ${countUpTo(settings.responses)} ${settings.responses === 1 ? 'response' : 'responses'}.`} The Results show each response beside the questions as it was asked them. People who have the page open now answer what they see.</p>
${differenceList(differences)}
${missingNotes(surveyId, { ...settings, questions })}`,
    fields: { ...storedFields(stored), action: 'confirm' },
    button: 'Publish',
    keep: [`/surveys/${surveyId}/questions`, 'Go on editing'],
  });

export const discardMain = (
  { csrf, now }: PageContext,
  { survey: { surveyId }, settings, draft, replaced }: Edited,
  drafts: readonly Draft[],
): Html =>
  confirmation(csrf, {
    title: 'Discard the unpublished changes?',
    content: html`<p><strong>The published questions stay. These changes are deleted for good${replaced.length > 0 && `, and ${plural(replaced.length, 'replaced draft')} too`}:</strong></p>
${differenceList(differencesOf(settings.questions, drafts))}
${draft && html`<p>Last edited by ${draft.editedBy}, ${moment(draft.editedAt, now)}.</p>`}`,
    fields: { ...storedFields({ version: settings.questionsVersion, revision: draft?.revision ?? NO_DRAFT }), action: 'discard' },
    button: draft && 'Discard changes',
    danger: true,
    keep: [`/surveys/${surveyId}/questions`, 'Keep them'],
  });
