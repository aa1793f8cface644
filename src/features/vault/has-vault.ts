import { isNotOffered } from "#src/api/http.ts";
import { createVaultApi } from "#src/api/vault.ts";
import { call, send } from "#src/features/session/api.ts";

/** Whether the person has a vault: it can be opened without a subscription, too. @throws ApiError */
export async function hasVault(signal: AbortSignal): Promise<boolean> {
  try {
    return (await createVaultApi(call, send).all(signal)).vault !== null;
  } catch (error) {
    if (isNotOffered(error)) return false;
    throw error;
  }
}
