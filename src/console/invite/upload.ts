// A list: what will become of it, sending and cancelling it, and the lines that aren't invited.
import { constraintMessage } from '../../constraint-messages.ts';
import {
  COLUMN_MEANINGS,
  type ColumnMeaning,
  LEFT_OUT,
  LINE_OUTCOMES,
  type LineOutcome,
  type SurveyFrame,
  type Upload,
} from '../../database/store.ts';
import { askAs, presentAsker, streamInTurn } from '../../database/turns.ts';
import { ApiError } from '../../errors.ts';
import { FRAMING_HEADERS } from '../../http/headers.ts';
import { readUuid } from '../../http/ids.ts';
import { canonicalTag } from '../../languages/languages.ts';
import { rereadLines } from '../../uploads/read-upload.ts';
import type { LineRules } from '../../uploads/recipients.ts';
import { emailFrame } from '../api-trigger/email-preview.ts';
import { done, type PageHandler, type PageRequest } from '../page.ts';
import { BYTE_ORDER_MARK, csvFileName, csvLine } from '../results/csv-view.ts';
import { type InviteContext, invitePath, rulesFor } from './invite.ts';
import { whyNot } from './list-words.ts';
import { cancelUploadMain, type SentTime, uploadMain } from './upload-view.ts';

const ROWS = 20;
/** Lines of a piece of the download, and of a step of reading again. */
const PIECE = 1000;

interface Found {
  readonly survey: SurveyFrame;
  readonly upload: Upload;
  readonly path: string;
}

/** @throws {ApiError} not_found, forbidden. */
async function find({ store }: InviteContext, request: PageRequest): Promise<Found> {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const id = readUuid(request.param('upload'));
  if (id === undefined) throw new ApiError('not_found', 'No such list.');
  const upload = await store.console.findUpload(request.session, survey.surveyId, id);
  return { survey, upload, path: `${invitePath(survey)}/${id}` };
}

const isOutcome = (text: string | null): text is LineOutcome => (LINE_OUTCOMES as readonly (string | null)[]).includes(text);

async function show(context: InviteContext, request: PageRequest, { survey, upload, path }: Found, sent?: SentTime) {
  const { session, query } = request;
  const calls = context.store.console;
  const asked = query.get('outcome');
  const outcome = isOutcome(asked) ? asked : undefined;
  const after = Number(/^\d{1,6}$/.exec(query.get('after') ?? '')?.[0] ?? 0);
  const [rules, lines, forecast] = await Promise.all([
    rulesFor(context, request),
    calls.uploadLines(session, survey.surveyId, upload.id, outcome && [outcome], after, ROWS),
    upload.state === 'checked' ? calls.uploadForecast(session, survey.surveyId, upload.id) : undefined,
  ]);
  const above = [invitePath(survey), 'Invite people'] as const;
  const parts = { title: upload.name, survey, tab: 'invitations', above } as const;
  if (query.get('confirm') === 'cancel' && sent === undefined)
    return request.page(parts, cancelUploadMain(request, upload, path));
  const shown = {
    survey,
    upload,
    path,
    lines,
    outcome,
    after,
    pageSize: ROWS,
    rules: { ...rules, columns: upload.columns },
    forecast,
    sent,
  };
  const answer = request.page(parts, uploadMain(request, shown), sent === undefined ? 200 : 422);
  return { ...answer, headers: FRAMING_HEADERS };
}

export const showUpload =
  (context: InviteContext): PageHandler =>
  async (request) =>
    show(context, request, await find(context, request));

export const changeUpload =
  (context: InviteContext): PageHandler =>
  async (request) => {
    const found = await find(context, request);
    const { survey, upload, path } = found;
    const { session, form } = request;
    const calls = context.store.console;
    switch (form.get('action')) {
      case 'columns':
        await changeColumns(context, request, found);
        return done(path, 'list_checked');
      case 'check':
      case 'send':
        return checkAndSend(context, request, found);
      case 'discard': {
        const isDiscarded = await calls.cancelUpload(session, survey.surveyId, upload.id, { unsentOnly: true });
        return isDiscarded ? done(invitePath(survey), 'list_discarded') : done(path, 'list_sent_before');
      }
      case 'cancel':
        await calls.cancelUpload(session, survey.surveyId, upload.id);
        return done(path, 'list_cancelled');
      default:
        throw new ApiError('invalid_field', 'No such action.');
    }
  };

const isMeaning = (text: string): text is NonNullable<ColumnMeaning> => (COLUMN_MEANINGS as readonly string[]).includes(text);

async function changeColumns(context: InviteContext, request: PageRequest, { survey, upload }: Found): Promise<void> {
  const { session, form, zone } = request;
  const calls = context.store.console;
  let hasEmail = false;
  const columns = upload.columns.map(({ name }, place) => {
    const chosen = form.get(`column${place}`) ?? '';
    // Of several columns with addresses, the first counts.
    const as = isMeaning(chosen) && !(chosen === 'email' && hasEmail) ? chosen : null;
    hasEmail ||= as === 'email';
    return { name, as };
  });
  const rules: LineRules = { ...(await rulesFor(context, request)), columns };
  const leave = await context.uploads.enter();
  try {
    await rereadLines(
      (after) => calls.uploadLines(session, survey.surveyId, upload.id, undefined, after, PIECE),
      rules,
      (lines) => calls.putUploadLines(session, survey.surveyId, upload.id, lines),
    );
    await calls.checkUpload(session, survey.surveyId, upload.id, { columns, zone });
  } finally {
    leave();
  }
}

async function checkAndSend(context: InviteContext, request: PageRequest, found: Found) {
  const { survey, upload, path } = found;
  const { session, form, zone } = request;
  const calls = context.store.console;
  const at = form.get('when') === 'later' ? (form.get('at') ?? '') : undefined;
  const again = form.get('again') === 'yes';
  const refuse = (field: SentTime['field'], text: string) => show(context, request, found, { at, again, field, text });
  if (at !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at)) return refuse('at', 'Enter a date and a time.');
  try {
    if (form.get('action') === 'check') {
      await calls.checkUpload(session, survey.surveyId, upload.id, { sendAt: at, zone });
      return done(path, 'list_checked');
    }
    await calls.sendUpload(session, survey.surveyId, upload.id, { again, sendAt: at, zone });
  } catch (error) {
    const rule = (error as { constraint_name?: string }).constraint_name;
    const text = constraintMessage(error);
    // The page was reloaded and sent the form again.
    if (rule === 'uploads_sent') return done(path, 'list_sent');
    if (text === undefined || !rule?.startsWith('uploads_')) throw error;
    return refuse(rule === 'uploads_send_at_range' ? 'at' : rule === 'uploads_repeated' ? 'again' : undefined, text);
  }
  return done(path, 'list_sent');
}

/** The first email of the list, as it will be sent. */
export const showUploadEmail =
  (context: InviteContext): PageHandler =>
  async (request) => {
    const { survey, upload } = await find(context, request);
    const { session } = request;
    const [[line], token] = await Promise.all([
      context.store.console.uploadLines(
        session,
        survey.surveyId,
        upload.id,
        ['new', 'resting', 'outside_hours', 'capped', 'unsent'],
        0,
        1,
      ),
      upload.tokenId === null ? null : context.store.console.findTriggerToken(session, survey.surveyId, upload.tokenId),
    ]);
    if (!token || !line?.recipient) throw new ApiError('not_found', 'There is no email to show.');
    const { email, name, language } = line.recipient;
    const recipient = { email, name: name ?? null };
    return emailFrame(context, {
      survey,
      token,
      texts: token,
      isReminder: false,
      language: canonicalTag(language) ?? null,
      recipient,
    });
  };

/** The lines that aren't invited, with the reason. */
export const downloadLeftOut =
  (context: InviteContext): PageHandler =>
  async (request) => {
    const { survey, upload } = await find(context, request);
    const { session, method, realNow } = request;
    const rules: LineRules = { ...(await rulesFor(context, request)), columns: upload.columns };
    const headers = {
      'content-disposition': `attachment; filename="${csvFileName(survey.title, survey.surveyId, realNow, 'not-invited')}"`,
    };
    const head = { status: 200, type: 'text/csv', body: '', headers } as const;
    if (method === 'HEAD') return head;
    const asker = presentAsker();
    async function* pieces() {
      yield BYTE_ORDER_MARK + csvLine(['line', 'why', ...upload.columns.map(({ name }, place) => name || `column ${place + 1}`)]);
      for (let after = 0; ; ) {
        const lines = await askAs(asker, () =>
          context.store.console.uploadLines(session, survey.surveyId, upload.id, [...LEFT_OUT, 'unsent'], after, PIECE),
        );
        const last = lines.at(-1);
        if (last === undefined) return;
        yield lines.map((line) => csvLine([line.number, whyNot(line, rules) ?? '', ...line.cells])).join('');
        after = last.number;
      }
    }
    return { ...head, stream: streamInTurn(context.exports, asker, pieces()) };
  };
