import { createPasswords } from "#server/account/passwords.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { Config } from "#server/config/config.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import { createPersonalTokens } from "#server/personal-tokens/personal-tokens.ts";
import { createAccessTokens } from "#server/session/access-tokens.ts";
import { keysInFile, sealingKeys } from "#server/session/key-file.ts";
import { keysInDatabase } from "#server/session/key-queries.ts";
import { openConnections } from "#server/session/open-connections.ts";
import { openProviders } from "#server/session/provider.ts";
import { createRefreshTokens } from "#server/session/refresh-tokens.ts";
import { createSealer } from "#server/session/sealing.ts";
import { sealingKeysInDatabase } from "#server/session/sealing-key-queries.ts";
import { configuredKeys, openKeyring } from "#server/session/signing-keys.ts";
import { createThrottle } from "#server/session/throttle.ts";
import type { Overrides } from "./overrides.ts";

interface Base extends DbParts {
  log: Log;
  bus: Bus;
  origins: Origins;
}

/** Opens the parts that grant access, and that end whatever depends on it. */
export async function openAccess(
  config: Config,
  overrides: Overrides,
  { db, log, bus, now, origins }: Base,
  cleanup: AsyncDisposableStack,
) {
  const { jwtSecrets, dataDir, databaseUrl, refreshDays, sessionDays, secondFactor } = config;
  const keyStore = databaseUrl === undefined ? keysInFile(dataDir) : keysInDatabase(db);
  const keys = jwtSecrets === undefined ? await openKeyring(keyStore, now, log, bus) : configuredKeys(jwtSecrets);
  const stored = sealingKeys(dataDir, sealingKeysInDatabase(db), databaseUrl === undefined ? "file" : "database");
  const connections = openConnections({ db, log, bus, now }, overrides.recheckMs);
  cleanup.defer(() => connections.close());
  const sessions = { refreshDays, sessionDays, hostBound: origins.secureApi, onEnded: connections.recheck, log };
  return {
    tokens: createAccessTokens(keys, now),
    refreshTokens: createRefreshTokens(db, now, sessions),
    connections,
    throttle: createThrottle(db, now),
    personalTokens: createPersonalTokens(db, now),
    sealer: createSealer({ configured: secondFactor.keys, stored, now }),
    adminNeedsSecondFactor: secondFactor.forAdmins,
    passwords: overrides.passwords ?? createPasswords(),
    providers: openProviders(config.providers),
  };
}
