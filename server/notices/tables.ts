declare module "#server/db/schema.ts" {
  interface Schema {
    notice_settings: NoticeSettingsTable;
  }
}

/** A person's choice of e-mails about finished transcriptions. No row: none. */
interface NoticeSettingsTable {
  user_id: string;
  completed: number;
  failed: number;
}

// Makes this a module: only a module can add to another.
export {};
