// The relays by name. Mailpit reports no events.
import { brevo, brevoEvents } from './brevo.ts';
import type { RelayEventSource } from './event.ts';
import { mailgun, mailgunEvents } from './mailgun.ts';
import { mailpit } from './mailpit.ts';
import { postmark, postmarkEvents } from './postmark.ts';
import type { RelayAdapter } from './relay.ts';
import { resend, resendEvents } from './resend.ts';
import { sendgrid, sendgridEvents } from './sendgrid.ts';
import { ses, sesEvents } from './ses.ts';

export type RelayName = 'mailpit' | 'resend' | 'postmark' | 'sendgrid' | 'mailgun' | 'brevo' | 'ses';

interface Relay {
  readonly adapter: RelayAdapter;
  readonly events?: RelayEventSource;
}

export const RELAYS: Readonly<Record<RelayName, Relay>> = {
  mailpit: { adapter: mailpit },
  resend: { adapter: resend, events: resendEvents },
  postmark: { adapter: postmark, events: postmarkEvents },
  sendgrid: { adapter: sendgrid, events: sendgridEvents },
  mailgun: { adapter: mailgun, events: mailgunEvents },
  brevo: { adapter: brevo, events: brevoEvents },
  ses: { adapter: ses, events: sesEvents },
};
