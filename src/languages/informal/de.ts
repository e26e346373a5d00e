// German that says du: the texts of de.ts that address the reader.
import type { Strings } from '../en.ts';

export const de: Partial<Strings> = {
  greeting: 'Hallo,',
  emailReason: 'Du erhältst diese E‑Mail, weil {workspace} dich zu einer Umfrage eingeladen hat.',
  notSubmitted: 'Deine Antworten wurden noch nicht abgesendet',
  questionsChanged: 'Die Fragen haben sich geändert, seit du diese Seite geöffnet hast. Bitte prüfe deine Antworten.',
  answersGoTo: 'Deine Antworten gehen an {workspace}.',
  chooseNumber: 'Bitte wähle eine Zahl aus.',
  chooseAnswer: 'Bitte wähle eine Antwort aus.',
  enterAnswer: 'Bitte gib eine Antwort ein.',
  tooLong: 'Bitte verwende höchstens {max} Zeichen.',
  thanks: 'Deine Antworten wurden gespeichert. Du kannst diese Seite jetzt schließen.',
  respondedTitle: 'Du hast bereits teilgenommen',
  responded: 'Deine Antworten zur Umfrage „{title}“ wurden gespeichert. Vielen Dank!',
  invalidLink: 'Möglicherweise ist er unvollständig. Bitte öffne ihn noch einmal direkt aus deiner E‑Mail.',
  linkExpired: 'Mit diesem Link kannst du nicht mehr an der Umfrage „{title}“ teilnehmen. Vielen Dank für dein Interesse.',
  notOpen: 'Diese Umfrage ist noch nicht geöffnet. Bitte versuche es später noch einmal. Dein Link bleibt gültig.',
  closed: 'Die Umfrage „{title}“ ist beendet. Vielen Dank für dein Interesse.',
  full: 'Die Umfrage „{title}“ hat genügend Antworten erhalten und ist beendet. Vielen Dank für dein Interesse.',
  byInvitation: 'Um teilzunehmen, öffne bitte den Link in der E‑Mail von {workspace}.',
  askWorkspace: 'Wenn du wieder E‑Mails zu Umfragen erhalten möchtest, wende dich bitte an {workspace}.',
  resubscribedTitle: 'Du erhältst wieder E‑Mails',
  fewer: 'Möchtest du lieber weniger E‑Mails erhalten?',
  savedTitle: 'Deine Auswahl wurde gespeichert',
  erased:
    'Die Adresse, an die diese Einladung ging, wurde gelöscht. Falls du noch einmal eine E‑Mail von {workspace} erhältst, verwende bitte den Link darin.',
  defaultMessage:
    'Hallo {{recipient_name}},\n\n{{workspace_name}} freut sich über deine Meinung: {{survey_title}}\n\n{{survey_link}}\n\nVielen Dank!',
  recommend: 'Wie wahrscheinlich ist es, dass du uns weiterempfiehlst?',
  mainReason: 'Was ist der Hauptgrund für deine Bewertung?',
};
