"""Names of countries, states and large cities: enough to see that a number is counted for one of them.

Kept by hand, in English; a gazetteer with coordinates is another matter (`tidings.following.values.tracker`).
"""

from __future__ import annotations

import re

__all__ = ["PLACE", "PLACES"]

_COUNTRIES = """
Afghanistan Albania Algeria Andorra Angola Argentina Armenia Australia Austria Azerbaijan Bahamas Bahrain
Bangladesh Barbados Belarus Belgium Belize Benin Bermuda Bhutan Bolivia Bosnia Botswana Brazil Britain
Brunei Bulgaria Burma Burundi Cambodia Cameroon Canada Chad Chile China Colombia Congo Croatia Cuba Cyprus
Denmark Djibouti Dominica Ecuador Egypt England Eritrea Estonia Ethiopia Fiji Finland France Gabon Gambia
Georgia Germany Ghana Greece Grenada Guatemala Guinea Guyana Haiti Honduras Hungary Iceland India Indonesia
Iran Iraq Ireland Israel Italy Jamaica Japan Jordan Kazakhstan Kenya Kosovo Kuwait Kyrgyzstan Laos Latvia
Lebanon Lesotho Liberia Libya Liechtenstein Lithuania Luxembourg Macedonia Madagascar Malawi Malaysia
Maldives Mali Malta Mauritania Mauritius Mexico Moldova Monaco Mongolia Montenegro Morocco Mozambique
Myanmar Namibia Nepal Netherlands Nicaragua Niger Nigeria Norway Oman Pakistan Palestine Panama Paraguay
Peru Philippines Poland Portugal Qatar Romania Russia Rwanda Samoa Scotland Senegal Serbia Singapore
Slovakia Slovenia Somalia Spain Sudan Suriname Swaziland Sweden Switzerland Syria Taiwan Tajikistan Tanzania
Thailand Togo Tonga Trinidad Tunisia Turkey Turkmenistan Uganda Ukraine Uruguay Uzbekistan Vanuatu Venezuela
Vietnam Wales Yemen Zambia Zimbabwe Gaza Caribbean Hispaniola Scandinavia Chechnya Tibet Kashmir Mindanao
Luzon Sumatra Java
"""
_TWO_WORDS = (
    "Dominican Republic|Puerto Rico|Costa Rica|El Salvador|Sri Lanka|Saudi Arabia|South Africa|South Korea"
    "|North Korea|New Zealand"
    "|New York|New Jersey|New Mexico|New Hampshire|New Orleans|New Delhi|North Carolina|South Carolina"
    "|North Dakota|South Dakota"
    "|West Virginia|Rhode Island|District of Columbia|Washington|Los Angeles|San Francisco|San Diego|Hong Kong"
    "|Ivory Coast|United"
    " States|United Kingdom|Great Britain|Czech Republic|Papua New Guinea|Burkina Faso|Sierra Leone|Gulf Coast"
    "|East Coast|Northern"
    " Ireland|New South Wales|South Australia|Western Australia|Cape Town|Port-au-Prince|Santo Domingo"
    "|Buenos Aires|Rio de Janeiro"
    "|Sao Paulo|Mexico City|Guatemala City|Kuala Lumpur|Tel Aviv|Long Island|Staten Island|Baton Rouge|Fort Hood"
    "|U\\.S(?:\\.A?|(?! ?\\.))"
    "|U\\.K\\.|USA|UK|UAE|Texas City|Oklahoma City"
)
_STATES = """
Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois
Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri
Montana Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Wisconsin
Wyoming Ontario Quebec Alberta Manitoba Queensland Victoria Tasmania Punjab Sindh Bihar Gujarat Kerala Assam
Sichuan Yunnan Guangdong Hokkaido Fukushima Miyagi Iwate
"""
_CITIES = """
London Paris Berlin Madrid Rome Moscow Kiev Warsaw Prague Vienna Athens Lisbon Dublin Belfast Glasgow
Edinburgh Manchester Liverpool Birmingham Leeds Amsterdam Rotterdam Brussels Copenhagen Stockholm Oslo
Helsinki Budapest Bucharest Sofia Belgrade Istanbul Ankara Cairo Alexandria Suez Ismailia Tunis Tripoli
Benghazi Algiers Casablanca Lagos Abuja Nairobi Mombasa Johannesburg Kinshasa Khartoum Damascus Aleppo Homs
Hama Idlib Deraa Daraa Latakia Beirut Amman Jerusalem Baghdad Basra Mosul Fallujah Tehran Tabriz Kabul
Kandahar Herat Kunduz Karachi Lahore Islamabad Peshawar Quetta Delhi Mumbai Kolkata Chennai Hyderabad
Bangalore Dhaka Chittagong Kathmandu Colombo Bangkok Phuket Hanoi Jakarta Bali Manila Cebu Davao Beijing
Shanghai Guangzhou Shenzhen Chengdu Tianjin Seoul Tokyo Osaka Sendai Kobe Taipei Sydney Melbourne Brisbane
Perth Adelaide Bundaberg Auckland Christchurch Toronto Montreal Vancouver Ottawa Chicago Boston Philadelphia
Houston Dallas Austin Phoenix Denver Seattle Portland Detroit Atlanta Miami Tampa Orlando Baltimore
Cleveland Pittsburgh Cincinnati Minneapolis Manhattan Brooklyn Queens Bronx Newark Havana Kingston Nassau
Santiago Lima Bogota Caracas Quito Acapulco Seville Barcelona Valencia Naples Milan Bhopal Odessa Donetsk
Petersburg Volgograd Grozny Beslan Jacmel Leogane
"""
_ABBREVIATIONS = "NJ|NY|PA|CT|MD|VA|NC|FL|LA|TX|CA|NYC|DC"

PLACES = frozenset(" ".join((_COUNTRIES, _STATES, _CITIES)).split())
"""Those of one word."""

_WORDS = "|".join(sorted(PLACES, key=len, reverse=True))
PLACE = re.compile(rf"(?<![\w-])(?:{_TWO_WORDS}|{_ABBREVIATIONS}|{_WORDS})(?![\w-])(?!'s capital)")
"""The name of a place, as it is written."""
