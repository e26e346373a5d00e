// Invite people: takes a list that is pasted or uploaded, and shows the lists of a survey.
import type { SurveyFrame } from '../../database/store.ts';
import type { Turns } from '../../database/turns.ts';
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { foldAscii, toOneLine } from '../../text.ts';
import type { IsTimeZone } from '../../trigger/time-zones.ts';
import { type ListRules, readList } from '../../uploads/read-upload.ts';
import { ListError, readPasted, readTable } from '../../uploads/table.ts';
import type { EmailPreviewContext } from '../api-trigger/email-preview.ts';
import type { ApiTriggerContext } from '../api-trigger/tokens.ts';
import type { PageHandler, PageRequest } from '../page.ts';
import { chooseSurveyMain, inviteMain, type WrongList } from './invite-view.ts';
import { listError } from './list-words.ts';

export interface InviteContext extends EmailPreviewContext, ApiTriggerContext {
  /** The lists that are being read. */
  readonly uploads: Turns;
}

const ROWS = 20;
/** Surveys that a person chooses from. */
const SURVEYS = 50;
/** Characters of a file's name. */
const MAX_NAME = 255;

export const invitePath = ({ surveyId }: SurveyFrame): string => `/surveys/${surveyId}/invite`;

/** What lines are checked by. */
export async function rulesFor({ store, limits }: InviteContext, { isTest }: PageRequest): Promise<ListRules> {
  const names = new Set((await store.timeZoneNames()).map(foldAscii));
  const isTimeZone: IsTimeZone = (name) => names.has(foldAscii(name));
  return { limits, isTimeZone, isTest };
}

async function show({ store }: InviteContext, request: PageRequest, survey: SurveyFrame, wrong?: WrongList) {
  const uploads = await store.console.listUploads(request.session, survey.surveyId, ROWS);
  const main = inviteMain(request, survey, uploads, wrong);
  return request.page({ title: 'Invite people', survey, tab: 'invitations' }, main, wrong === undefined ? 200 : 422);
}

/** @throws {ApiError} forbidden, not_found. */
const surveyOf = ({ store }: InviteContext, request: PageRequest) =>
  store.console.surveyFrame(request.session, request.param('survey'), 'editor');

export const showInvite =
  (context: InviteContext): PageHandler =>
  async (request) =>
    show(context, request, await surveyOf(context, request));

/** Stores the list, and leads to what would become of it. */
export const takeList =
  (context: InviteContext): PageHandler =>
  async (request) => {
    const { file, form, session, zone } = request;
    const survey = await surveyOf(context, request);
    const pasted = form.get('list') ?? '';
    const wrong = (field: WrongList['field'], text: string) => show(context, request, survey, { field, text, pasted });
    if (file === undefined && pasted.trim() === '') return wrong('list', 'Enter an address, paste a list, or choose a file.');
    const field = file === undefined ? 'list' : 'file';
    const calls = context.store.console;
    const leave = await context.uploads.enter();
    let id: string | undefined;
    try {
      const rules = await rulesFor(context, request);
      const name =
        toOneLine(file?.name ?? '')
          .slice(0, MAX_NAME)
          .toWellFormed() || 'Pasted list';
      const upload = await calls.createUpload(session, survey.surveyId, name);
      id = upload;
      const lines = file === undefined ? readPasted(pasted) : readTable(file.bytes);
      const read = await readList(lines, rules, (part) => calls.putUploadLines(session, survey.surveyId, upload, part));
      await calls.checkUpload(session, survey.surveyId, upload, { ...read, zone });
    } catch (error) {
      if (id !== undefined) await calls.cancelUpload(session, survey.surveyId, id);
      if (error instanceof ListError) return wrong(field, listError(error));
      if (error instanceof ApiError && error.code === 'body_too_large') return wrong(field, error.message);
      throw error;
    } finally {
      leave();
    }
    return redirect(`${invitePath(survey)}/${id}`);
  };

/** From Home: which survey to invite to. */
export const chooseSurvey =
  ({ store }: InviteContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const surveys = await store.console.surveyTitles(request.session, workspace.id, SURVEYS);
    const open = surveys.filter(({ isBeingDeleted }) => !isBeingDeleted);
    const [only, ...others] = open;
    if (only !== undefined && others.length === 0) return redirect(`/surveys/${only.surveyId}/invite`);
    // A person who may not invite gets 403 here.
    if (only !== undefined) await store.console.surveyFrame(request.session, only.surveyId, 'editor');
    return request.page({ title: 'Invite people', workspace, tab: 'surveys' }, chooseSurveyMain(workspace, open));
  };
