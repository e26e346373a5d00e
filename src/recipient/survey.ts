// The survey page. GET never uses up the link, and POST records a response.
import type { Request } from 'polka';
import type { Store } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { type Answer, page, redirect } from '../http/answer.ts';
import { readForm } from '../http/form.ts';
import { recipientHeaders } from '../http/headers.ts';
import { isId } from '../http/ids.ts';
import { note } from '../http/notes.ts';
import type { AddressLimit } from '../http/rate-limit.ts';
import { acceptedTags, canonicalTag } from '../languages/languages.ts';
import type { Speeches } from '../languages/speeches.ts';
import { isLinkToken, surveyLink } from '../mail/links.ts';
import { readClick, readSubmission } from './answers.ts';
import { closedPage, surveyPage, thanksPage } from './survey-view.ts';
import { readGroup, thankedGroup } from './thanks.ts';
import { shownLanguage } from './words.ts';

/** In bytes. Enough for dozens of long answers, where encoding makes three characters of each byte. */
const MAX_FORM = 1024 * 1024;

export interface RecipientContext {
  readonly store: Store;
  /** How the workspaces speak. */
  readonly speeches: Speeches;
  /** Limits responses without a link. */
  readonly openLimit: AddressLimit;
}

interface Opened {
  readonly token?: string | undefined;
  readonly version?: number | undefined;
  /** Chosen by the switch: the value in the address or in the form. */
  readonly language?: unknown;
}

async function openSurvey({ store, speeches }: RecipientContext, request: Request, { token, version, language }: Opened) {
  const tag = typeof language === 'string' ? canonicalTag(language) : undefined;
  const { survey: id = '' } = request.params;
  const browserLanguages = acceptedTags(request.headers['accept-language']);
  const survey = isId(id) ? await store.surveyPage(id, token, version, tag, browserLanguages) : null;
  if (survey === null) throw new ApiError('not_found', 'No such survey.');
  note(request, { workspace: survey.workspaceId, survey: survey.surveyId, invitation: survey.invitationId });
  return { ...survey, browserLanguages, speech: await speeches.of(survey.wording) };
}

/** A malformed token is replaced by one that no invitation has. */
function readToken(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  return isLinkToken(text) ? text : 'malformed';
}

/** The version of the questions that the page showed. */
const readVersion = (text: string | null): number | undefined => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined);

export const showSurvey =
  (context: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const token = readToken(request.query.invitation);
    const survey = await openSurvey(context, request, { token, language: request.query.language });
    // If a survey has a page in the product, people can answer only there.
    if (survey.publicUrl !== null) {
      const link = token === undefined ? survey.publicUrl : surveyLink(survey.publicUrl, token);
      return redirect(headerUrl(link), {}, 302);
    }
    const closed = closedPage(survey);
    if (closed) return page(closed.status, closed.body, recipientHeaders(survey.accentColor));
    const click = token === undefined ? undefined : readClick(survey.questions, request.query);
    const chosen = click && { answers: { [click.question]: click.answer }, errors: {} };
    return page(200, surveyPage(survey, token, chosen, click?.question), recipientHeaders(survey.accentColor, true));
  };

export const submitSurvey =
  (context: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const { store, openLimit } = context;
    const form = await readForm(request, MAX_FORM);
    const token = readToken(form.get('invitation'));
    if (token === undefined) openLimit.take(request);
    const version = readVersion(form.get('version'));
    const language = form.get('language');
    const survey = await openSurvey(context, request, { token, version, language });
    if (survey.publicUrl !== null) throw new ApiError('not_found', 'This survey has its own page.');
    const closed = closedPage(survey);
    if (closed !== undefined) return page(closed.status, closed.body, recipientHeaders(survey.accentColor));

    const submission = readSubmission(survey.questions, form);
    const clicked = survey.questions.find(({ id }) => id === form.get('clicked'))?.id;
    const changed = version !== undefined && version !== survey.questionsVersion;
    if (changed || Object.keys(submission.errors).length > 0) {
      return page(
        422,
        surveyPage(survey, token, { ...submission, changed }, clicked),
        recipientHeaders(survey.accentColor, true),
      );
    }
    const { outcome } = await store.submitResponse(
      survey.surveyId,
      submission.answers,
      token,
      survey.questionsVersion,
      shownLanguage(survey),
      clicked,
    );
    // The survey may have closed since the page was opened, so show its current state.
    if (outcome !== 'recorded') {
      const found = await openSurvey(context, request, { token, language });
      const { status, body } = closedPage(found) ?? { status: 200, body: thanksPage(found) };
      return page(status, body, recipientHeaders(found.accentColor));
    }
    const group = thankedGroup(survey.questions, submission.answers);
    const query = new URLSearchParams({ language: shownLanguage(survey), ...(group && { score: group }) });
    return redirect(`/s/${encodeURIComponent(survey.surveyId)}/thanks?${query}`);
  };

/** The URL in ASCII, because it goes into a header. */
const headerUrl = (url: string): string => (/^[!-~]*$/.test(url) ? url : (URL.parse(url)?.href ?? encodeURI(url)));

export const showThanks =
  (context: RecipientContext) =>
  async (request: Request): Promise<Answer> => {
    const survey = await openSurvey(context, request, { language: request.query.language });
    // A draft takes no responses. If the survey isn't a draft but is closed by now, it did record this response.
    const notOpen = survey.state === 'draft' ? closedPage(survey) : undefined;
    const { status, body } = notOpen ?? { status: 200, body: thanksPage(survey, readGroup(request.query.score)) };
    return page(status, body, recipientHeaders(survey.accentColor));
  };
