declare module "#server/db/schema.ts" {
  interface Schema {
    inbox: InboxTable;
    waitlist: WaitlistTable;
  }
}

/** Messages to the operator of the server. */
export interface InboxTable {
  id: string;
  client_id: string;
  kind: "feedback" | "contact";
  user_id: string | null;
  name: string;
  email: string;
  rating: number | null;
  text: string;
  language: string;
  created_at: number;
  handled_at: number | null;
}

export interface WaitlistTable {
  email: string;
  language: string;
  created_at: number;
}
