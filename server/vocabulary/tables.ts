declare module "#server/db/schema.ts" {
  interface Schema {
    vocabularies: VocabularyTable;
  }
}

/** Names and terms to expect in everything that a person records, and what is written instead of what was recognized. */
interface VocabularyTable {
  user_id: string;
  /** As the person wrote it (contract/vocabulary.ts). */
  text: string;
  /** Grows with every change. */
  revision: number;
}

// Makes this a module: only a module can add to another.
export {};
