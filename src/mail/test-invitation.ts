// Renders a test mail: the invitation or reminder as recipients get it, but for a word in the subject and for where its links lead. Pure.
import type { TestMail } from '../database/store.ts';
import type { OutgoingMessage } from '../relay/relay.ts';
import { previewLink } from './links.ts';
import { type RenderOptions, render } from './render.ts';
import { NO_INVITATION } from './sign-in.ts';

/** In front of a test mail's subject. */
const TEST_PREFIX = '[Test] ';

/** There is no link token: both links lead to the preview, which records nothing and unsubscribes nobody. */
export function renderTest({ id, ...test }: TestMail, options: RenderOptions): OutgoingMessage {
  const preview = previewLink(options.publicUrl, test.surveyId);
  const { headers, ...mail } = render(
    {
      ...test,
      id: NO_INVITATION,
      batchId: `test.${id}`,
      name: null,
      linkToken: '',
      surveyPublicUrl: null,
      unconfirmedSince: null,
    },
    options,
    { survey: preview, unsubscribe: `${preview}#unsubscribe` },
  );
  // Without the headers by which a mail client unsubscribes by itself.
  return { ...mail, subject: TEST_PREFIX + mail.subject, headers: { 'Message-ID': headers['Message-ID'] ?? '' } };
}
