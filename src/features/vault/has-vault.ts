import { isNotOffered } from "#src/api/http.ts";
import { createVaultApi } from "#src/api/vault.ts";
import { call, send } from "#src/features/session/api.ts";

/** Whether the user has a vault, which can be opened even without a subscription. @throws ApiError */
export async function hasVault(signal: AbortSignal): Promise<boolean> {
  try {
    return (await createVaultApi(call, send).all(signal)).vault !== null;
  } catch (error) {
    if (isNotOffered(error)) return false;
    throw error;
  }
}
