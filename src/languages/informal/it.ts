// Italian that says tu: the texts of it.ts that address the reader.
import type { Strings } from '../en.ts';

export const it: Partial<Strings> = {
  greeting: 'Ciao,',
  emailReason: 'Ricevi questa e‑mail perché {workspace} ti invita a partecipare a un sondaggio.',
  notSubmitted: 'Le tue risposte non sono ancora state inviate',
  questionsChanged: 'Le domande sono cambiate da quando hai aperto questa pagina. Controlla le tue risposte.',
  answersGoTo: 'Le tue risposte saranno inviate a {workspace}.',
  chooseNumber: 'Scegli un numero.',
  chooseAnswer: 'Scegli una risposta.',
  enterAnswer: 'Inserisci una risposta.',
  tooLong: 'Usa al massimo {max} caratteri.',
  thanks: 'La tua risposta è stata registrata. Puoi chiudere questa pagina.',
  respondedTitle: 'Hai già risposto',
  responded: 'La tua risposta al sondaggio «{title}» è stata registrata. Grazie!',
  invalidLink: 'Potrebbe essere incompleto. Aprilo di nuovo dall’e‑mail che hai ricevuto.',
  notOpen: 'Questo sondaggio non è ancora aperto. Riprova più tardi. Il tuo link resterà valido.',
  byInvitation: 'Per rispondere, apri il link contenuto nell’e‑mail di {workspace}.',
  unsubscribeQuestion: 'Vuoi smettere di ricevere le e‑mail sui sondaggi di {workspace} all’indirizzo {email}?',
  askWorkspace: 'Per riceverle di nuovo, rivolgiti a {workspace}.',
  fewer: 'Preferisci ricevere meno e‑mail?',
  savedTitle: 'La tua scelta è stata salvata',
  erased:
    'L’indirizzo a cui è stato inviato questo invito è stato cancellato. Se ricevi un’altra e‑mail da {workspace}, usa il link che contiene.',
  defaultMessage:
    'Ciao {{recipient_name}},\n\n{{workspace_name}} desidera conoscere la tua opinione: {{survey_title}}\n\n{{survey_link}}\n\nGrazie!',
  recommend: 'Con quale probabilità ci consiglieresti ad altri?',
  mainReason: 'Qual è il motivo principale della tua valutazione?',
};
