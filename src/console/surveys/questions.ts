// The editor of a survey's questions. Until the author saves, nothing is stored: each button sends the whole form, and the response is the
// changed form.
import { constraintMessage } from '../../constraint-messages.ts';
import type { Question, SurveyFrame, SurveySettings } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { draftError } from './question-errors.ts';
import {
  consequencesOf,
  type Draft,
  isDraft,
  isUnchanged,
  newDraft,
  readDrafts,
  renamedWhereAskedOtherwise,
  TYPES,
} from './question-form.ts';
import { consequencesMain, type DraftError, type Editing, questionsMain } from './questions-view.ts';

interface Edited {
  readonly survey: SurveyFrame;
  readonly settings: SurveySettings;
}

async function open({ store }: ConsoleContext, { session, param }: PageRequest): Promise<Edited> {
  const survey = await store.console.surveyFrame(session, param('survey'), 'editor');
  return { survey, settings: await store.console.surveySettings(session, survey.surveyId) };
}

function show(request: PageRequest, { survey, settings }: Edited, editing: Omit<Editing, 'unsaved'>) {
  const unsaved = !isUnchanged(settings.questions, editing.drafts);
  return request.page(
    { title: 'Questions', survey, tab: 'questions', styles: ['questions.css'] },
    questionsMain(request, survey, settings, { ...editing, unsaved }),
    editing.error === undefined ? 200 : 422,
  );
}

export const showQuestions =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const edited = await open(context, request);
    const { questions, questionsVersion } = edited.settings;
    return show(request, edited, { drafts: questions, version: questionsVersion });
  };

export const submitQuestions =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const edited = await open(context, request);
    const { form } = request;
    const { questions } = edited.settings;
    const version = Number(/^\d{1,9}$/.exec(form.get('version') ?? '')?.[0] ?? 0);
    const [action = '', which = ''] = (form.get('action') ?? '').split(':');
    const drafts = form.has('questions') ? parseDrafts(form.get('questions')) : readDrafts(form, questions);
    if (action === 'save' || action === 'confirm')
      return save(context, request, edited, { drafts, version }, action === 'confirm');
    return show(request, edited, { ...changed(drafts, action, which, edited.settings), version });
  };

/** Applies a button's action to the questions. */
function changed(drafts: readonly Draft[], action: string, which: string, { questions, pastIds }: SurveySettings) {
  const type = TYPES.find((known) => known === which);
  if (action === 'add' && type !== undefined) {
    const used = new Set([...pastIds, ...questions.map(({ id }) => id), ...drafts.map(({ id }) => id)]);
    return { drafts: [...drafts, newDraft(type, used)], at: drafts.length };
  }
  const from = Number(/^\d{1,3}$/.exec(which)?.[0] ?? -1);
  const moved = drafts[from];
  if (moved === undefined) return { drafts };
  const others = drafts.filter((_, index) => index !== from);
  if (action === 'remove') return { drafts: others };
  if (action !== 'up' && action !== 'down') return { drafts };
  const at = Math.min(Math.max(from + (action === 'up' ? -1 : 1), 0), others.length);
  return { drafts: others.toSpliced(at, 0, moved), at };
}

async function save(
  { store }: ConsoleContext,
  request: PageRequest,
  edited: Edited,
  { drafts, version }: Pick<Editing, 'drafts' | 'version'>,
  confirmed: boolean,
) {
  const { survey, settings } = edited;
  const { session } = request;
  const wrong = await store.console.checkQuestions(session, survey.surveyId, drafts);
  if (wrong !== null) {
    return show(request, edited, { drafts, version, error: errorOf(wrong, drafts) });
  }
  const consequences = settings.isAsked ? consequencesOf(settings.questions, drafts) : [];
  if (consequences.length > 0 && !confirmed) {
    const main = consequencesMain(request, settings, consequences, { drafts, version });
    return request.page({ title: 'Save the questions', survey, tab: 'questions' }, main);
  }
  const questions = renamedWhereAskedOtherwise(drafts, settings.questions, settings.pastIds) as readonly Question[];
  try {
    await store.console.updateSurvey(session, survey.surveyId, { questions, questionsVersion: version });
  } catch (error) {
    const text = constraintMessage(error);
    if (text === undefined) throw error;
    return show(request, edited, { drafts, version, error: { text } });
  }
  return done(`/surveys/${survey.surveyId}/questions`, 'questions_saved');
}

const TOO_LARGE = 'A survey has at most 100 questions, and about 65,000 characters in all of them.';

function errorOf(wrong: { readonly code: string; readonly question?: number }, drafts: readonly Draft[]): DraftError {
  const index = wrong.question === undefined ? undefined : wrong.question - 1;
  const found = index === undefined ? undefined : draftError(wrong.code, drafts[index]);
  if (found !== undefined) return { index, ...found };
  if (wrong.code === 'too_large') return { text: TOO_LARGE };
  const error = { constraint_name: 'surveys_questions_form', detail: JSON.stringify(wrong) };
  return { text: constraintMessage(error) ?? wrong.code };
}

/** The questions that the previous page sent along. */
function parseDrafts(text: string | null): readonly Draft[] {
  try {
    const drafts: unknown = JSON.parse(text ?? '');
    if (Array.isArray(drafts) && drafts.every(isDraft)) return drafts;
  } catch {}
  throw new ApiError('invalid_field', 'These are no questions.');
}
