// The faults of a relay for CHAOS=relay: before it reads a request, instead of accepting it, or after accepting it.
import type { ServerResponse } from 'node:http';
import type { Random } from './random.ts';
import { error, json } from './relay.ts';

export interface Fault {
  /**
   * `unread`: the fault happens before the relay reads the body. `rejected`: it has read the body and accepts nothing. `accepted`: it
   * delivers the emails.
   */
  readonly when: 'unread' | 'rejected' | 'accepted';
  /** The worker can't know that the relay has accepted the request. */
  readonly loses?: true;
  /** @param answer The response that the relay would have sent. */
  readonly answer: (response: ServerResponse, answer: string) => void;
}

const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy();
const garbage = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
const hang = () => {};

const FAULTS: Record<string, Fault> = {
  'reset unread': { when: 'unread', answer: reset },
  hang: { when: 'rejected', answer: hang },
  'server error': { when: 'rejected', answer: (response) => json(response, 500, error(500, 'internal_server_error')) },
  'bad gateway': { when: 'rejected', answer: (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>') },
  'garbage instead of a response': { when: 'rejected', answer: garbage },
  'reset after accepting': { when: 'accepted', loses: true, answer: reset },
  'hang after accepting': { when: 'accepted', loses: true, answer: hang },
  'server error after accepting': {
    when: 'accepted',
    loses: true,
    answer: (response) => json(response, 500, error(500, 'application_error')),
  },
  'garbage after accepting': { when: 'accepted', loses: true, answer: garbage },
  'response cut short': {
    when: 'accepted',
    loses: true,
    answer(response, answer) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.write(answer.slice(0, answer.length / 2), () => response.socket?.destroy());
    },
  },
  'keep-alive connection closed': {
    when: 'accepted',
    answer(response, answer) {
      const { socket } = response;
      response.once('finish', () => setImmediate(() => socket?.destroySoon()));
      json(response, 200, answer);
    },
  },
};
/** This fault is rare, because it pauses all workers. */
const TOO_MANY: Fault = {
  when: 'rejected',
  answer: (response) => json(response, 429, error(429, 'rate_limit_exceeded'), { 'retry-after': '1' }),
};

/** Makes one request in four fail, until heal() is called. */
export function createMisbehaviour(random: Random) {
  let healed = false;
  let faults = 0;
  return {
    fault(): Fault | undefined {
      const wrong = random.below(200) === 0 ? TOO_MANY : random.below(4) === 0 ? random.pick(Object.values(FAULTS)) : undefined;
      if (healed || wrong === undefined) return undefined;
      faults += 1;
      return wrong;
    },
    heal() {
      healed = true;
    },
    faults: () => faults,
  };
}
