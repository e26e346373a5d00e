// The editor of a survey's questions.
import type { SurveyFrame, SurveySettings } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { languageAttributes } from '../../languages/languages.ts';
import { questionFields } from '../../recipient/survey-view.ts';
import { wordsIn } from '../../recipient/words.ts';
import { plural } from '../../text.ts';
import { checkbox, empty, field, form, notice, refusal } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { countUpTo } from '../invitations/parts-view.ts';
import { outdatedLanguages } from '../translations/survey-texts.ts';
import { languageName } from '../words.ts';
import type { DraftField } from './question-errors.ts';
import { type Consequence, type Draft, previewable, TYPES } from './question-form.ts';

export interface DraftError {
  /** The question's index, from 0. Undefined: the error is about no single question, and is shown above all of them. */
  readonly index?: number | undefined;
  readonly field?: DraftField;
  readonly text: string;
}

export interface Editing {
  readonly drafts: readonly Draft[];
  readonly unsaved: boolean;
  /** The index of the question that gets the focus. */
  readonly at?: number | undefined;
  readonly error?: DraftError | undefined;
  /** The version of the questions that are being edited. */
  readonly version: number;
}

const NAMES = { score: 'Score', choice: 'Choice', text: 'Text' } as const;

export function questionsMain({ csrf }: PageContext, survey: SurveyFrame, settings: SurveySettings, editing: Editing): Html {
  const { drafts, unsaved, error, version } = editing;
  const words = wordsIn(settings.language);
  return html`${settings.publicUrl !== null && notice('warn', 'This survey has its own page, which doesn\u2019t show these questions. They name the answers in the Results.')}
${error && error.index === undefined && refusal(error.text)}
${outdatedLanguages(settings).map(([language, texts]) =>
  notice(
    'warn',
    html`${plural(texts, 'text')} changed since the translation into ${languageName(language)}. People who read ${languageName(language)} still see the old one. <a href="/surveys/${survey.surveyId}/languages?language=${language}">Update the translation</a>`,
  ),
)}
<div class="composer">${form(
    csrf,
    html`<button class="hidden" type="submit" name="action" value="preview" tabindex="-1">Update the preview</button>
<input type="hidden" name="version" value="${version}">
${drafts.length === 0 ? empty('No questions yet', 'Add the first one below.') : drafts.map((draft, index) => questionPart(draft, index, editing))}
<fieldset class="adding"><legend>Add a question</legend>
${TYPES.map((type) => html`<button class="quiet" type="submit" name="action" value="add:${type}">${NAMES[type]}</button> `)}</fieldset>
<p class="actions bottom"><button type="submit" name="action" value="save">Save questions</button> <button class="quiet" type="submit" name="action" value="preview">Update preview</button>${unsaved && html` <strong class="warning unsaved">Not saved yet</strong> <a class="discard" href="/surveys/${survey.surveyId}/questions">Discard</a>`}</p>`,
    { unsaved },
  )}
<section class="card panel beside" aria-labelledby="preview"><h2 id="preview">Preview</h2>
<div class="survey-preview"${languageAttributes(words.voice.language, 'en')}><p class="note">${survey.workspaceName}</p>
<p class="big">${settings.title}</p>
${questionFields(words, previewable(drafts))}
<button type="button" disabled>${words.voice.say('submit')}</button></div></section></div>`;
}

function questionPart(draft: Draft, index: number, { drafts, at, error }: Editing): Html {
  const name = (part: string) => `${part}-${index}`;
  const { type, id, label } = draft;
  const errorOf = (part: DraftField) => (error?.index === index && error.field === part ? error.text : undefined);
  const button = (action: string, text: string, off = false) =>
    html`<button class="quiet" type="submit" name="action" value="${action}:${index}"${off && html` disabled`}>${text}<span class="hidden"> question ${index + 1}</span></button>`;
  return html`<section class="card panel" aria-labelledby="${name('question')}"><div class="split"><h2 id="${name('question')}">${index + 1}. ${NAMES[type]}</h2><p class="actions">${button('up', 'Move up', index === 0)}${button('down', 'Move down', index === drafts.length - 1)}${button('remove', 'Remove')}</p></div>
<input type="hidden" name="${name('id')}" value="${id}"><input type="hidden" name="${name('type')}" value="${type}">
${field({ name: name('label'), label: 'Question', value: label, error: errorOf('label'), more: html` maxlength="1000" autocomplete="off"${at === index && html` autofocus`}` })}
${type === 'choice' && field({ name: name('choices'), label: 'Choices', value: (draft.choices as readonly string[]).join('\n'), error: errorOf('choices'), rows: 5, hint: 'One on each line' })}
${
  type === 'score' &&
  html`<div class="pair">${field({ name: name('min'), label: 'From', value: String(draft.min ?? 0), error: errorOf('min'), more: html` inputmode="numeric"` })}
${field({ name: name('min_label'), label: 'Which means', value: String(draft.min_label ?? ''), error: errorOf('min_label'), more: html` maxlength="100" autocomplete="off"` })}
${field({ name: name('max'), label: 'To', value: String(draft.max ?? 10), error: errorOf('max'), more: html` inputmode="numeric"` })}
${field({ name: name('max_label'), label: 'Which means', value: String(draft.max_label ?? ''), error: errorOf('max_label'), more: html` maxlength="100" autocomplete="off"` })}</div>
${checkbox(name('nps'), 'Count as Net Promoter Score', draft.nps === true, 'Only for a score from 0 to 10 that asks for a recommendation.', errorOf('nps'))}`
}
${checkbox(name('required'), 'Needs an answer', draft.required === true)}
<p class="hint">Answers are stored as <code>${id}</code></p>
</section>`;
}

/** Asks before saving. Both buttons keep the edits. */
export function consequencesMain(
  { csrf }: PageContext,
  { responses, translations }: SurveySettings,
  consequences: readonly Consequence[],
  { drafts, version }: Pick<Editing, 'drafts' | 'version'>,
): Html {
  return html`<section class="card panel ask" aria-labelledby="ask"><h2 id="ask">Save these questions?</h2>
<p>${responses === 0 ? 'The survey is open, but nobody has responded yet.' : `The survey has ${countUpTo(responses)} ${responses === 1 ? 'response' : 'responses'}.`} The Results show each response beside the questions as it was asked them. People who have the page open now answer what they see.</p>
<ul>${consequences.map((consequence) => html`<li>${CONSEQUENCES[consequence.kind](consequence as never)}</li>`)}</ul>
${translations !== null && html`<p>Translations (${Object.keys(translations).map(languageName).join(', ')}) stay as they are: a changed text keeps its old translation, a new one has none. The survey's languages page shows which.</p>`}
${form(
  csrf,
  html`<input type="hidden" name="version" value="${version}"><input type="hidden" name="questions" value="${JSON.stringify(drafts)}">
<p class="actions"><button type="submit" name="action" value="confirm">Save questions</button> <button class="quiet" type="submit" name="action" value="edit">Go on editing</button></p>`,
  { unsaved: true },
)}
</section>`;
}

type Words = { readonly [K in Consequence['kind']]: (consequence: Extract<Consequence, { kind: K }>) => Html };

const CONSEQUENCES: Words = {
  removed: ({ label }) => html`<strong>${label}</strong> is no longer asked. Its answers stay in the Results.`,
  added: ({ label }) => html`<strong>${label}</strong> is new. Earlier responses have no answer to it.`,
  required: ({ label }) => html`<strong>${label}</strong> needs an answer from now on.`,
  nps_on: ({ label }) => html`<strong>${label}</strong> counts as Net Promoter Score, earlier answers too.`,
  nps_off: ({ label }) => html`<strong>${label}</strong> no longer counts as Net Promoter Score, nor do earlier answers.`,
  reworded: ({ label, to }) =>
    html`<strong>${label}</strong> now reads <strong>${to}</strong>. Answers to both are counted together. If it asks something else now, remove the question and add a new one instead.`,
  rescaled: ({ label, to }) =>
    html`<strong>${label}</strong> gets another scale (${to}), so it becomes a new question. Answers on the old scale stay in the Results on their own.`,
  choice_gone: ({ label, choices }) =>
    html`<strong>${label}</strong> no longer offers ${choices.map((choice, index) => html`${index > 0 && ', '}“${choice}”`)}. Answers that chose ${choices.length === 1 ? 'it' : 'them'} stay in the Results.`,
};
