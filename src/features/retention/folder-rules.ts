import type { RetentionRule } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import { createFilingApi } from "#src/api/filing.ts";
import { createRetentionApi } from "#src/api/retention.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { ownCall, ownSend } from "#src/features/session/api.ts";

const api = createRetentionApi(ownCall);
const filing = createFilingApi(ownCall, ownSend);

/** A folder's name and its retention rule. */
export interface FolderRule extends RetentionRule {
  /** The folder's name; null: transcripts without a folder. */
  name: string | null;
}

/** The retention rules of each folder, and of transcripts without a folder. */
export interface Rules {
  /** The code that creates the list stops it. */
  list: Query<readonly FolderRule[]>;
  /** Takes over a saved rule. */
  keep(rule: RetentionRule): void;
}

async function loadRules(signal: AbortSignal): Promise<readonly FolderRule[]> {
  const [rules, { folders }] = await Promise.all([api.list(signal), filing.list(signal)]);
  const ruleOf = (folderId: string | null, name: string | null): FolderRule => {
    const { audioDays = null, textDays = null } = rules.find((rule) => rule.folderId === folderId) ?? {};
    return { folderId, name, audioDays, textDays };
  };
  return [...folders.map(({ id, name }) => ruleOf(id, name)), ruleOf(null, null)];
}

export function createRules(): Rules {
  const list = startQuery(loadRules);
  return {
    list,
    keep: (saved) => {
      const known = selectData(list.getSnapshot()) ?? [];
      const data = known.map((rule) => (rule.folderId === saved.folderId ? { ...rule, ...saved } : rule));
      list.send({ type: "data.changed", data });
    },
  };
}
