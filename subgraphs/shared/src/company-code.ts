declare const companyCode: unique symbol;

/** The code that people type to say which organization they log in to, in its one spelling: capitals, no blanks around it. */
export type CompanyCode = string & { readonly [companyCode]: true };

/** Reads a company code, whatever the case in which somebody typed it. */
export const companyCodeOf = (typed: string): CompanyCode => typed.trim().toUpperCase() as CompanyCode;

/** Whether two people typed the same company code. */
export const isSameCompanyCode = (one: string, other: string): boolean => companyCodeOf(one) === companyCodeOf(other);

/** What the code of a new organization looks like, as `companyCodeOf` returns it. */
export const COMPANY_CODE = /^[A-Z\d][A-Z\d_-]{1,49}$/;
