import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectBillingHistory, selectHistoryFailed, selectHistoryIsOffered } from "#machines/subscription/billing.ts";
import { date, money } from "#src/i18n/format.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Billing } from "./billing.ts";
import styles from "./subscription.module.css";

const known = new Set(["paid", "open", "void"]);

/** Payments, the newest first. */
export function Invoices({ billing }: { billing: Billing }) {
  const { t, i18n } = useTranslation("subscription");
  const invoices = useSelector(billing, selectBillingHistory);
  const failed = useSelector(billing, selectHistoryFailed);
  const offered = useSelector(billing, selectHistoryIsOffered);
  if (!offered) return null;
  return (
    <section className={styles.invoices} aria-labelledby="invoices">
      <h2 id="invoices">{t("invoices.title")}</h2>
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => billing.send({ type: "history.requested" })}>
          {t("invoices.failed")}
        </RetryNotice>
      ) : null}
      {invoices === null && !failed ? <p role="status">{t("loading")}</p> : null}
      {invoices?.length === 0 ? <p className={styles.soft}>{t("invoices.none")}</p> : null}
      {invoices && invoices.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("invoices.date")}</th>
              <th scope="col">{t("invoices.amount")}</th>
              <th scope="col">{t("invoices.status")}</th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => (
              <tr key={invoice.id}>
                <td>
                  {invoice.url ? (
                    <a href={invoice.url}>{date(invoice.date, i18n.language)}</a>
                  ) : (
                    date(invoice.date, i18n.language)
                  )}
                </td>
                <td>{money(invoice.amount, invoice.currency, i18n.language)}</td>
                <td>{known.has(invoice.status) ? t(`invoices.state.${invoice.status}`) : invoice.status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}
