// The editor of a survey's questions. Each button sends the whole form, and question-editor.js sends it as one types. What is sent is stored as a
// draft first, whatever else the button does; recipients see it once it is published.
import { randomUUID } from 'node:crypto';
import { constraintMessage } from '../../constraint-messages.ts';
import type { Question, SavedDraft, SurveySettings } from '../../database/store.ts';
import { type Answer, json, redirect } from '../../http/answer.ts';
import { FRAMING_HEADERS } from '../../http/headers.ts';
import { readUuid } from '../../http/ids.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { differencesOf } from './differences.ts';
import { draftError } from './question-errors.ts';
import { type Draft, isDraft, isUnchanged, kept, newDraft, readDrafts, renamedWhereAskedOtherwise } from './question-form.ts';
import { isKind } from './question-kinds.ts';
import {
  changesPart,
  type DraftError,
  discardMain,
  type Edited,
  type Editing,
  hasChanges,
  NO_DRAFT,
  type Others,
  publishMain,
  questionsMain,
} from './questions-view.ts';

const CHANGED_MEANWHILE = 'surveys_changed_meanwhile';

async function open({ store }: ConsoleContext, { session, param }: PageRequest): Promise<Edited> {
  const survey = await store.console.surveyFrame(session, param('survey'), 'editor');
  const settings = await store.console.surveySettings(session, survey.surveyId);
  const drafts = await store.console.questionDrafts(session, survey.surveyId);
  const draft = drafts.find(({ replacedAt }) => replacedAt === null);
  return { survey, settings, draft, replaced: drafts.filter((other) => other !== draft) };
}

const pathOf = ({ survey }: Edited): string => `/surveys/${survey.surveyId}/questions`;
const draftsOf = ({ draft, settings }: Edited): readonly Draft[] => draft?.questions.filter(isDraft) ?? settings.questions;
const isChangedMeanwhile = (error: unknown) => (error as { constraint_name?: string }).constraint_name === CHANGED_MEANWHILE;

function show(request: PageRequest, edited: Edited, editing: Editing): Answer {
  const isRefused = editing.others !== undefined || (editing.errors ?? []).length > 0;
  const shown = request.page(
    { title: 'Questions', survey: edited.survey, tab: 'questions', hasNext: hasChanges(edited, editing.drafts) },
    questionsMain(request, edited, editing),
    isRefused ? 422 : 200,
  );
  return { ...shown, headers: FRAMING_HEADERS };
}

export const showQuestions =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const edited = await open(context, request);
    const { survey, settings, draft } = edited;
    const drafts = draftsOf(edited);
    if (request.query.get('confirm') === 'discard') {
      const main = discardMain(request, edited, drafts);
      return request.page({ title: 'Discard changes', survey, tab: 'questions' }, main);
    }
    const at = Number(/^\d{1,3}$/.exec(request.query.get('at') ?? '')?.[0] ?? -1);
    const received = request.query.get('sent') ?? undefined;
    return show(request, edited, {
      drafts,
      at,
      received,
      version: settings.questionsVersion,
      revision: draft?.revision ?? NO_DRAFT,
    });
  };

export const submitQuestions =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const edited = await open(context, request);
    const [action = '', which = ''] = (request.form.get('action') ?? '').split(':');
    if (action === 'confirm') return publish(context, request, edited, draftsOf(edited));
    if (action === 'discard') return discard(context, request, edited);
    const isRestored = action === 'restore';
    const restored = edited.replaced.find(({ revision }) => revision === which)?.questions.filter(isDraft);
    if (isRestored && restored === undefined) throw notFound();
    const { drafts, at } = isRestored
      ? { drafts: restored ?? [] }
      : changed(readDrafts(request.form, edited.settings.questions), action, which, edited.settings);
    const saved = await save(context, request, edited, drafts, isRestored || action === 'takeover');
    if (action === 'autosave') return reply(context, request, edited, drafts, saved);
    if (!saved.isSaved) return show(request, edited, { ...conflict(request, drafts, saved) });
    if (action === 'publish') return askToPublish(context, request, await open(context, request), drafts);
    const place = at === undefined ? '' : `&at=${at}`;
    return redirect(`${pathOf(edited)}?sent=${readUuid(request.form.get('next')) ?? ''}${place}`);
  };

/** Applies a button's action to the questions. at: the question that gets the focus. */
function changed(
  drafts: readonly Draft[],
  action: string,
  which: string,
  { questions, pastIds }: SurveySettings,
): { drafts: readonly Draft[]; at?: number } {
  if (action === 'add' && isKind(which)) {
    const used = new Set([...pastIds, ...questions.map(({ id }) => id), ...drafts.map(({ id }) => id)]);
    return { drafts: [...drafts, newDraft(which, used)], at: drafts.length };
  }
  const from = Number(/^\d{1,3}$/.exec(which)?.[0] ?? -1);
  const moved = drafts[from];
  if (moved === undefined) return { drafts };
  if (action === 'remove') return { drafts: drafts.with(from, { ...moved, removed: true }), at: from };
  if (action === 'back') {
    const { removed: _, ...back } = moved;
    return { drafts: drafts.with(from, back), at: from };
  }
  if (action !== 'up' && action !== 'down') return { drafts };
  const others = drafts.filter((_, index) => index !== from);
  const at = Math.min(Math.max(from + (action === 'up' ? -1 : 1), 0), others.length);
  return { drafts: others.toSpliced(at, 0, moved), at };
}

/** What the editor has seen. */
const seenBy = (form: URLSearchParams) => ({
  version: Number(/^\d{1,9}$/.exec(form.get('version') ?? '')?.[0] ?? 0),
  revision: form.get('revision') || NO_DRAFT,
});

/** No draft has it. */
const NO_REVISION = '00000000-0000-0000-0000-000000000000';

/** @param isTakeover Whether it is put in the place of what others have saved meanwhile, which the form has named. */
function save(
  { store }: ConsoleContext,
  { session, form }: PageRequest,
  { survey, settings, draft }: Edited,
  drafts: readonly Draft[],
  isTakeover: boolean,
): Promise<SavedDraft> {
  const stored = draft?.revision ?? NO_DRAFT;
  const seen = isTakeover ? [form.get('theirs') || stored] : seenBy(form).revision.split(' ');
  const base = seen.includes(stored) ? stored : seen[0];
  return store.console.saveQuestionDraft(session, survey.surveyId, {
    questions: isUnchanged(settings.questions, drafts) ? null : drafts,
    questionsVersion: isTakeover ? settings.questionsVersion : seenBy(form).version,
    base: base === NO_DRAFT ? null : (readUuid(base) ?? NO_REVISION),
    revision: readUuid(form.get('next')) ?? randomUUID(),
    keepsOther: isTakeover,
  });
}

const othersOf = ({ revision, editedBy, editedAt }: SavedDraft): Others =>
  revision === null || editedBy === null || editedAt === null ? null : { revision, editedBy, editedAt };

/** The form as it was sent, which isn't stored. Only the button that keeps it nevertheless replaces what others have saved. */
function conflict({ form }: PageRequest, drafts: readonly Draft[], saved: SavedDraft): Editing {
  return { drafts, ...seenBy(form), received: form.get('next') ?? undefined, others: othersOf(saved) };
}

/** What question-editor.js gets. changes: what the page says of them. */
async function reply(
  context: ConsoleContext,
  request: PageRequest,
  before: Edited,
  drafts: readonly Draft[],
  saved: SavedDraft,
): Promise<Answer> {
  const { isSaved, revision, editedBy, editedAt } = saved;
  if (!isSaved) return json(409, { theirs: revision, who: editedBy, at: editedAt, mine: editedBy === request.me.email });
  const edited = before.draft === undefined || revision === null ? await open(context, request) : before;
  return json(200, { revision, changes: changesPart(request, edited, drafts).toString() });
}

async function askToPublish(
  context: ConsoleContext,
  request: PageRequest,
  edited: Edited,
  drafts: readonly Draft[],
): Promise<Answer> {
  const { survey, settings, draft } = edited;
  const stored = { version: settings.questionsVersion, revision: draft?.revision ?? NO_DRAFT };
  const errors = await errorsOf(context, request, survey.surveyId, drafts);
  if (errors.length > 0)
    return show(request, edited, { drafts, ...stored, received: request.form.get('next') ?? undefined, errors });
  const differences = differencesOf(settings.questions, drafts);
  if (!settings.isAsked || differences.length === 0) return publish(context, request, edited, drafts, stored);
  const main = publishMain(request, edited, kept(drafts) as readonly Question[], differences, stored);
  return request.page({ title: 'Publish the questions', survey, tab: 'questions' }, main);
}

/** @param stored What the editor has seen. */
async function publish(
  { store }: ConsoleContext,
  request: PageRequest,
  edited: Edited,
  drafts: readonly Draft[],
  stored: Pick<Editing, 'version' | 'revision'> = seenBy(request.form),
): Promise<Answer> {
  const { survey, settings } = edited;
  const active = kept(drafts);
  const questions = isUnchanged(settings.questions, active)
    ? settings.questions
    : (renamedWhereAskedOtherwise(active, settings.questions, settings.pastIds) as readonly Question[]);
  try {
    await store.console.publishQuestions(request.session, survey.surveyId, {
      questions,
      questionsVersion: stored.version,
      revision: stored.revision === NO_DRAFT ? null : (readUuid(stored.revision) ?? NO_REVISION),
    });
  } catch (error) {
    const text = constraintMessage(error);
    if (text === undefined) throw error;
    return show(request, edited, {
      drafts,
      version: settings.questionsVersion,
      revision: edited.draft?.revision ?? NO_DRAFT,
      errors: [{ text }],
    });
  }
  const path = `${pathOf(edited)}?sent=${readUuid(request.form.get('next')) ?? ''}`;
  const published = survey.state === 'active' ? 'questions_published' : 'questions_ready';
  const said = questions === settings.questions ? 'questions_unchanged' : published;
  return done(path, said);
}

async function discard({ store }: ConsoleContext, request: PageRequest, edited: Edited): Promise<Answer> {
  const revision = readUuid(request.form.get('revision'));
  try {
    if (revision !== undefined) await store.console.discardQuestionDraft(request.session, edited.survey.surveyId, revision);
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error;
    return request.page(
      { title: 'Discard changes', survey: edited.survey, tab: 'questions' },
      discardMain(request, edited, draftsOf(edited)),
      422,
    );
  }
  return done(pathOf(edited), 'questions_discarded');
}

const TOO_LARGE = 'A survey has at most 100 questions, and about 65,000 characters in all of them.';

/** What is wrong with the questions that aren't removed, each error at its place among all of them. */
async function errorsOf(
  { store }: ConsoleContext,
  { session }: PageRequest,
  surveyId: string,
  drafts: readonly Draft[],
): Promise<DraftError[]> {
  const active = kept(drafts);
  const all = await store.console.checkQuestions(session, surveyId, active);
  return all.map((wrong) => {
    const draft = wrong.question === undefined ? undefined : active[wrong.question - 1];
    const found = draftError(wrong.code, draft);
    if (draft !== undefined && found !== undefined) return { index: drafts.indexOf(draft), ...found };
    if (wrong.code === 'too_large') return { text: TOO_LARGE };
    const error = { constraint_name: 'surveys_questions_form', detail: JSON.stringify(wrong) };
    return { text: constraintMessage(error) ?? wrong.code };
  });
}
