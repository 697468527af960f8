"""The least that a page with a figure costs: a heading and one bar chart, for the benchmark of the browser."""

import plotly.graph_objects as go
import streamlit as st

st.header("A bar chart")
st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[1, 3, 2])))
