/**
 * Stripe's own types, so that the compiler checks what the sandbox answers.
 *
 * Types only: nothing of the package is loaded at run time.
 */
import type Stripe from 'stripe';

export type PaymentIntent = Stripe.PaymentIntent;
export type Charge = Stripe.Charge;
export type BalanceTransaction = Stripe.BalanceTransaction;
export type PaymentMethod = Stripe.PaymentMethod;
export type LastPaymentError = Stripe.PaymentIntent.LastPaymentError;
export type CancellationReason = Stripe.PaymentIntent.CancellationReason;
export type CardDetails = Stripe.Charge.PaymentMethodDetails.Card;

/** What the sandbox keeps, by the name Stripe puts into `object`. */
export type Kept = PaymentIntent | Charge | BalanceTransaction | PaymentMethod;

/** The release whose shapes these are; the same one the `stripe` package pins. */
export const API_VERSION = '2026-10-28.endive';

/** The account that owns what is made without a `Stripe-Account` header. */
export const PLATFORM_ACCOUNT = 'acct_sandbox';
