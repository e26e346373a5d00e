// The test files of `make test`: all but the browser's, and what measures, which CI runs by itself.
import { globSync } from 'node:fs';
import { ROOT } from './graph.ts';

export const suite = (): string[] => globSync(['test/*.test.ts', 'test/!(browser|bench)/*.test.ts'], { cwd: ROOT }).sort();
