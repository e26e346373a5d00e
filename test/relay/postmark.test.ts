// Postmark's API: the requests byte for byte, and the meaning of its documented responses.
import { postmark } from '../../src/relay/postmark.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(postmark, { stream: 'broadcast' });
