// Spanish that says tú: the texts of es.ts that address the reader.
import type { Strings } from '../en.ts';

export const es: Partial<Strings> = {
  emailReason: 'Recibes este correo porque {workspace} te ha enviado una invitación para responder a una encuesta.',
  notSubmitted: 'Tus respuestas aún no se han enviado',
  questionsChanged: 'Las preguntas han cambiado desde que abriste esta página. Revisa tus respuestas.',
  answersGoTo: 'Tus respuestas se enviarán a {workspace}.',
  chooseNumber: 'Elige un número.',
  chooseAnswer: 'Elige una respuesta.',
  enterAnswer: 'Escribe una respuesta.',
  tooLong: 'Usa como máximo {max} caracteres.',
  thanks: 'Hemos registrado tu respuesta. Ya puedes cerrar esta página.',
  respondedTitle: 'Ya has respondido',
  responded: 'Hemos registrado tu respuesta a la encuesta «{title}». ¡Gracias!',
  invalidLink: 'Es posible que esté incompleto. Ábrelo de nuevo desde el correo que recibiste.',
  linkExpired: 'Ya no permite responder a la encuesta «{title}». Gracias por tu interés.',
  notOpen: 'Esta encuesta aún no está abierta. Inténtalo más tarde. Tu enlace seguirá funcionando.',
  closed: 'La encuesta «{title}» está cerrada. Gracias por tu interés.',
  full: 'La encuesta «{title}» ha recibido suficientes respuestas y está cerrada. Gracias por tu interés.',
  byInvitation: 'Para responder, abre el enlace del correo que te envió {workspace}.',
  unsubscribeQuestion: '¿Quieres dejar de recibir en {email} los correos de encuestas de {workspace}?',
  askWorkspace: 'Si quieres volver a recibirlos, ponte en contacto con {workspace}.',
  fewer: '¿Prefieres recibir menos correos?',
  savedTitle: 'Tu elección se ha guardado',
  erased:
    'La dirección a la que se envió esta invitación se ha eliminado. Si recibes otro correo de {workspace}, usa el enlace que contiene.',
  defaultMessage:
    'Hola, {{recipient_name}}:\n\nA {{workspace_name}} le gustaría conocer tu opinión: {{survey_title}}\n\n{{survey_link}}\n\n¡Muchas gracias!',
  recommend: '¿Qué probabilidad hay de que nos recomiendes?',
  mainReason: '¿Cuál es el motivo principal de tu puntuación?',
};
