declare module "#server/db/schema.ts" {
  interface Schema {
    notice_settings: NoticeSettingsTable;
  }
}

/** What mails a person wants about transcriptions that have ended. No row: none. */
interface NoticeSettingsTable {
  user_id: string;
  completed: number;
  failed: number;
}

// Makes this a module: only a module can add to another.
export {};
