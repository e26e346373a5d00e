// SendGrid's API: the requests byte for byte, and the meaning of its documented responses.
import { sendgrid } from '../../src/relay/sendgrid.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(sendgrid);
