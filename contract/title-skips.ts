/** The beginnings of a text that a title leaves out, in one language: alternatives of a regular expression. */
interface Skips {
  /** Sounds of hesitation that are no words of the language. */
  sounds?: string;
  /** Words that begin a speech without saying anything. */
  openers: string;
  greetings: string;
  /** The people who are greeted. */
  listeners: string;
}

/** Must follow words that may be meaningful: "well," as opposed to "well water". */
const pause = "(?=\\s*[,.;:!?…–—])";
const wordEnd = "(?![\\p{L}\\p{N}\\p{M}'’-])";
const gap = "[\\s,.;:!?…–—-]*";
/** Sounds that are words in no language. */
const sounds = "uh?h+m+|h+m+|m+h?m+|erm+|ä+h+m?|ö+h+m?|ø+h+m?|æ+h+m?|e+u+h+|ehm+";
const okay = `okay|ok|oké|oke`;

const skips: Readonly<Record<string, Skips>> = {
  en: {
    sounds: "u+m+|u+h+|er+|ah+|oh+",
    openers: `so(?! (?:far|much|many|long|that|be)${wordEnd})|alright|yeah|yep|(?:all right|well|right|now|yes|you know|i mean|anyway|basically|let me see|let['’]s see)${pause}`,
    greetings: `hello|hi|hey|good (?:morning|afternoon|evening)|welcome(?: back)?${pause}`,
    listeners: "everyone|everybody|all|there|guys|folks|again|to you all|ladies and gentlemen|and",
  },
  de: {
    openers: `also|naja|na ja|tja|ja|(?:so|gut|genau|nun|na gut|sehr gut|alles klar)${pause}`,
    greetings: "hallo|hi|hey|moin|servus|grüezi|guten (?:morgen|tag|abend|mittag)|grüß (?:gott|dich|euch)",
    listeners:
      "zusammen|an alle|alle|allerseits|miteinander|leute|(?:meine )?(?:sehr geehrten |sehr verehrten |lieben )?damen und herren|liebe kolleginnen und kollegen",
  },
  es: {
    sounds: `e+h+|e+m+|este${pause}`,
    openers: `bueno|pues|vale|o sea|a ver|(?:bien|sí|mira|oye|entonces|muy bien)${pause}`,
    greetings: `hola|buenos días|buenas (?:tardes|noches)|buenas${pause}`,
    listeners:
      "a todos y (?:a )?todas|a todas y (?:a )?todos|a todos|a todas|todos|todas|chicos|chicas|amigos|señoras y señores|qué tal",
  },
  fr: {
    sounds: "heu+|ben|bah",
    openers: `alors(?! que${wordEnd})|donc|eh bien|bon alors|(?:bon|bien|oui|voilà|d['’]accord|très bien)${pause}`,
    greetings: "bonjour|bonsoir|salut|coucou|allô",
    listeners:
      "à tous et (?:à )?toutes|à toutes et (?:à )?tous|à tous|à toutes|tout le monde|les amis|mesdames et messieurs|mesdames,? messieurs",
  },
  pt: {
    sounds: `ahn+|hã+|e+h+|é${pause}`,
    openers: `então(?! que${wordEnd})|pois é|tá bom|(?:bom|bem|olha|certo|sim|muito bem|pois)${pause}`,
    greetings: "olá|oi|bom dia|boa (?:tarde|noite)",
    listeners:
      "a todos e (?:a )?todas|a todas e (?:a )?todos|a todos|a todas|para todos|pessoal|gente|senhoras e senhores|tudo bem",
  },
  nl: {
    sounds: "e+h+|u+h+",
    openers: `nou ja|nou|dus|ja|(?:goed|zo|prima|even kijken)${pause}`,
    greetings: `hallo|hoi|hé|hey|goede(?:morgen|middag|navond)|goeie(?:morgen|middag|navond)|dag(?= allemaal| iedereen)|dag${pause}`,
    listeners: "allemaal|iedereen|mensen|beste mensen|dames en heren",
  },
  da: {
    openers: `altså|nå men|nå|ja|jo|(?:så|godt|lad os se)${pause}`,
    greetings: "hej|hejsa|hallo|goddag|god ?morgen|god ?aften|god ?eftermiddag|velkommen til alle",
    listeners: "alle sammen|allesammen|alle|med jer|venner|(?:mine )?damer og herrer",
  },
  it: {
    sounds: "e+h+|a+h+",
    openers: `allora|dunque|(?:bene|sì|ecco|va bene)${pause}`,
    greetings: "ciao|salve|buongiorno|buonasera|buon pomeriggio",
    listeners: "a tutti e (?:a )?tutte|a tutti|a tutte|tutti|ragazzi|signore e signori",
  },
  sv: {
    openers: `alltså|nå|ja|jo|(?:så|bra|okej)${pause}`,
    greetings: "hej|hejsan|hallå|god ?morgon|god ?kväll|god ?dag",
    listeners: "på er|alla|allihop|allihopa|mina damer och herrar",
  },
  no: {
    openers: `altså|nå${pause}|ja|jo|(?:så|bra)${pause}`,
    greetings: "hei|heisann|hallo|god ?morgen|god ?kveld|god ?dag",
    listeners: "alle sammen|alle|folkens|mine damer og herrer",
  },
  fi: {
    openers: `no niin|no|niin${pause}|eli|joo|(?:hyvä|kyllä)${pause}`,
    greetings: "hei|moi|terve|hyvää (?:huomenta|päivää|iltaa)",
    listeners: "kaikki|kaikille|hyvät naiset ja herrat",
  },
};

const repeated = (...words: string[]) => new RegExp(`^${gap}(?:[¡¿]?(?:${words.join("|")})${wordEnd}${gap})*`, "iu");

function skippedIn(code: string): { all: RegExp; sounds: RegExp } {
  const own = skips[code];
  if (own === undefined) return { all: repeated(sounds, okay), sounds: repeated(sounds) };
  const heard = own.sounds === undefined ? sounds : `${sounds}|${own.sounds}`;
  const greeting = `(?:${own.greetings})(?:[\\s,]+(?:${own.listeners})${wordEnd})*`;
  return { all: repeated(heard, okay, own.openers, greeting), sounds: repeated(heard) };
}

const made = new Map<string, ReturnType<typeof skippedIn>>();

/**
 * The offset at which a text begins to say something: after sounds, empty words and greetings, unless only a single
 * word would be left.
 * @param text on one line
 * @param language its code ("pt-br"); for an unknown one, only sounds are skipped
 */
export function contentStart(text: string, language: string): number {
  const code = language.slice(0, 2).toLowerCase();
  const skipped = made.get(code) ?? skippedIn(code);
  made.set(code, skipped);
  const start = lengthOf(skipped.all, text);
  return saysEnough(text.slice(start)) ? start : lengthOf(skipped.sounds, text);
}

const lengthOf = (skipped: RegExp, text: string): number => skipped.exec(text)?.[0].length ?? 0;

/** "Hello Anna" says more than "Anna". */
const saysEnough = (text: string): boolean => /\S\s+\S/.test(text);
