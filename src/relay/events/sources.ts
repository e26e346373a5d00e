// The webhooks by the name that the setting RELAY gives their relay.
import { brevo } from './brevo.ts';
import type { RelayEventSource } from './event.ts';
import { mailgun } from './mailgun.ts';
import { postmark } from './postmark.ts';
import { resend } from './resend.ts';
import { sendgrid } from './sendgrid.ts';
import { ses } from './ses.ts';

export const EVENT_SOURCES: Readonly<Record<string, RelayEventSource>> = { brevo, mailgun, postmark, resend, sendgrid, ses };
