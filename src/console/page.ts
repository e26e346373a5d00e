// The wrapper of the members' pages: who comes, the form and its token, what a refusal of the database becomes. What somebody may do is
// decided by the SQL functions, which all take visit.session.
import type { Request } from 'polka';
import { ruleOf } from '../constraint-messages.ts';
import { errorCode } from '../database/pool.ts';
import type { OwnWorkspace, Visitor } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import type { Html } from '../html/html.ts';
import { readBody } from '../http/body.ts';
import { type Answer, FramedError, type Handler, MEMBER_HEADERS, page } from '../http/handler.ts';
import { isId } from '../http/ids.ts';
import { hashSecret } from '../secret.ts';
import type { ServerContext } from '../server.ts';
import { type FlashCode, isFlashCode } from './flashes.ts';
import { type FrameParts, framePage, type Viewing } from './frame.ts';
import { csrfToken, isCsrfToken, isSameOrigin, readSessionKey } from './session.ts';

/** Bytes of a submitted form. */
const MAX_FORM = 256 * 1024;

const OLD_FORM =
  'The form is not of your present session: you have signed in again since, or it is from elsewhere. Go back, reload the page, and try again.';

/** One request for a member's page. */
export interface Visit extends Viewing {
  readonly request: Request;
  /** Part of the path, by the name in its pattern. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** Hash of the session's secret: the first argument of every SQL function. */
  readonly session: Buffer;
  /** The fields of the form; empty for a GET. */
  readonly form: URLSearchParams;
  /** The workspace of this id, if the visitor has it. @throws {ApiError} not_found. */
  workspace(id: string): OwnWorkspace;
  /** The page, in its frame. */
  page(parts: FrameParts, main: Html, status?: number): Answer;
}

export type VisitHandler = (visit: Visit) => Answer | Promise<Answer>;

export const redirect = (location: string, headers: Record<string, string> = {}): Answer => ({
  ...page(303, ''),
  headers: { ...headers, location },
});

/** Back to a page after a form was done, which says so there. */
export const done = (path: string, code: FlashCode): Answer => redirect(`${path}?done=${code}`);

/** The fields of a form. A zero byte is no text for PostgreSQL. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const form = new URLSearchParams((await readBody(request, MAX_FORM)).toString('utf8'));
  for (const [name, text] of [...form]) if (text.includes('\0')) form.set(name, text.replaceAll('\0', ''));
  return form;
}

/** Who comes with the request's cookie; undefined: nobody, or the session has ended. */
export async function whoComes({ store, https }: ServerContext, request: Request) {
  const key = readSessionKey(request, https);
  if (key === undefined) return undefined;
  const session = hashSecret(key);
  const me = await store.console.authenticate(session);
  return me === null ? undefined : { key, session, me };
}

/** Makes a handler of a member's page. Whoever is not signed in is sent to do so, and comes back to the page that was asked for. */
export const memberPage =
  (context: ServerContext, handler: VisitHandler): Handler =>
  async (request) => {
    const isPost = request.method === 'POST';
    const form = isPost ? await readForm(request) : new URLSearchParams();
    const who = await whoComes(context, request);
    if (who === undefined) return redirect(isPost ? '/sign-in' : `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
    const visit = createVisit(request, who, form);
    try {
      const trusted = isSameOrigin(request, context.publicUrl()) && isCsrfToken(form.get('csrf'), who.key);
      if (isPost && !trusted) throw new ApiError('forbidden', OLD_FORM);
      if (!Object.values(request.params).every(isId)) throw notFound();
      return await handler(visit);
    } catch (error) {
      throw framed(visit, refusalOf(error));
    }
  };

/** What is at no address: 404, in the frame for who is signed in. */
export const unknownPage =
  (context: ServerContext): Handler =>
  async (request) => {
    const who = await whoComes(context, request);
    throw who === undefined ? notFound() : framed(createVisit(request, who, new URLSearchParams()), notFound());
  };

const framed = (visit: Visit, error: unknown): FramedError =>
  new FramedError(error, (title, main) => framePage({ ...visit, flash: undefined }, { title }, main));

function createVisit(request: Request, who: { key: string; session: Buffer; me: Visitor }, form: URLSearchParams): Visit {
  const { session, me } = who;
  const query = new URLSearchParams(request.search ?? '');
  const code = query.get('done') ?? '';
  // A form posts to the address of its page, which may still say what the form before it did.
  const flash = request.method !== 'POST' && isFlashCode(code) ? code : undefined;
  const viewing: Viewing = { me, csrf: csrfToken(who.key), now: new Date(), flash };
  return {
    ...viewing,
    request,
    query,
    session,
    form,
    param: (name) => request.params[name] ?? '',
    workspace(id) {
      const found = me.workspaces.find((one) => one.id === id);
      if (found === undefined) throw notFound();
      return found;
    },
    page: (parts, main, status = 200) => ({ ...page(status, framePage(viewing, parts, main)), headers: MEMBER_HEADERS }),
  };
}

export const notFound = () => new ApiError('not_found', 'There is nothing at this address.');

/** What require_role and change_member raise, for the visitor: which role it takes. */
function allowed(message: string): string {
  if (/^only an owner/.test(message)) return 'Only an owner may make, change or remove an owner. Ask one of the workspace.';
  const [, role, least] = /^the role (\w+) is not enough: it takes (\w+)$/.exec(message) ?? [];
  if (least === undefined) return 'Your role in this workspace does not allow this.';
  return `Your role in this workspace is ${role}. This takes ${/^[aeo]/.test(least) ? 'an' : 'a'} ${least}: ask an owner or admin for that role.`;
}

/** What the visitor is told of an error of a SQL function; the pages show what a field is refused for themselves. */
function refusalOf(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'P0002') return notFound();
  // Raised by a function of ours; a missing grant has the same code, but is no word about the visitor.
  if (code === '42501' && (error as { routine?: string }).routine === 'exec_stmt_raise') {
    return new ApiError('forbidden', allowed((error as Error).message));
  }
  if (code === '23514' || code?.startsWith('22'))
    return new ApiError('invalid_field', ruleOf(error) ?? 'A value is not allowed.');
  return error;
}
