declare module "#server/db/schema.ts" {
  interface Schema {
    vocabularies: VocabularyTable;
  }
}

/** Names and terms to expect in all of a user's recordings, and replacements of recognized words. */
interface VocabularyTable {
  user_id: string;
  /** As the user wrote it (contract/vocabulary.ts). */
  text: string;
  /** Grows with every change. */
  revision: number;
}

// Makes this a module: only a module can add to another.
export {};
