// Postmark's API: the requests byte for byte, and what its documented answers mean.
import { postmark } from '../../src/relay/postmark.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(postmark, { stream: 'broadcast' });
