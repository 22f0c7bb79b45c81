declare const companyCode: unique symbol;

/** The code by which people name their organization when they log in, normalized: in capitals, without blanks around it. */
export type CompanyCode = string & { readonly [companyCode]: true };

/** Reads a company code, whatever the case in which somebody typed it. */
export const companyCodeOf = (typed: string): CompanyCode => typed.trim().toUpperCase() as CompanyCode;

/** Whether two texts are the same company code. */
export const isSameCompanyCode = (one: string, other: string): boolean => companyCodeOf(one) === companyCodeOf(other);

/** The pattern of the code of a new organization, as `companyCodeOf` returns it. */
export const COMPANY_CODE = /^[A-Z\d][A-Z\d_-]{1,49}$/;
