// Emails a new link to a person who is signed in, for an act that needs a recent sign-in.
import { createNonce, sha256 } from '../../secret.ts';
import type { ConsoleContext, PageHandler, PageRequest } from '../page.ts';
import { signInCookie } from '../session.ts';
import { type KeptForm, linkSentMain, PATH_FIELD } from './again-view.ts';
import { ownPath } from './own-path.ts';

/** The link leads back to the page of the form, which then says that it may be sent. */
export const signInAgain =
  ({ store, https }: ConsoleContext): PageHandler =>
  async (request) => {
    const kept = keptForm(request);
    const key = createNonce();
    await store.console.requestSignInLink(request.me.email, ownPath(`${kept.path}?done=signed_in_again`), sha256(key));
    const answer = request.page({ title: 'Check your email' }, linkSentMain(request, kept));
    return { ...answer, headers: { ...answer.headers, 'set-cookie': signInCookie(key, https) } };
  };

function keptForm({ form }: PageRequest): KeptForm {
  return {
    path: ownPath(form.get(PATH_FIELD)) ?? '/',
    fields: [...form].filter(([name]) => name !== 'csrf' && name !== PATH_FIELD),
  };
}
