// German as Switzerland and Liechtenstein write it: ss for ß, and «guillemets».
import { de } from './de.ts';
import type { Strings } from './en.ts';

export const swiss = (text: string): string => text.replaceAll('ß', 'ss').replaceAll('„', '«').replaceAll('“', '»');

export const deCH = Object.fromEntries(Object.entries(de).map(([name, text]) => [name, swiss(text)])) as Strings;
